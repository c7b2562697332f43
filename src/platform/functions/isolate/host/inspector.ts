import { Session } from 'node:inspector/promises'

/** The host's hold on the guest's thread, which works while that one spins. */
export type Inspector = {
  /** Ends what runs there now; false when it did not end within the time. */
  terminate(within: Patience): Promise<boolean>
  /** Takes hold of what is exposed there by a name, which may then be taken from it. */
  hold(name: string): Promise<void>
  /** What a method of that returns, called in the midst of what runs; undefined when late. */
  call(method: string, within: Patience): Promise<unknown>
}

/** How long a thread may go on, of its own processor time: one that gets none is not late. */
export type Patience = { ms: number; cpuUs: () => number }

/** Whoever does not reply for so long, whatever he gets, is late all the same. */
const longestMs = 15_000

type Reply = {
  id?: number
  error?: unknown
  result?: { result?: { value?: unknown; objectId?: string } }
}

const late = Symbol('late')

function raced<Value>(ms: number, promise: Promise<Value>): Promise<Value | typeof late> {
  const timer = Promise.withResolvers<typeof late>()
  const timeout = setTimeout(() => timer.resolve(late), ms)
  return Promise.race([promise, timer.promise]).finally(() => clearTimeout(timeout))
}

async function patiently<Value>(
  { ms, cpuUs }: Patience,
  promise: Promise<Value>
): Promise<Value | typeof late> {
  const [began, usedUs] = [performance.now(), cpuUs()]
  for (;;) {
    const found = await raced(ms / 4, promise)
    const isLate = cpuUs() - usedUs >= ms * 1_000 || performance.now() - began >= longestMs
    if (found !== late || isLate) return found
  }
}

/**
 * Waits for the thread that `start` makes. An inspector that cannot do its work is no inspector:
 * `onLost` is told, since without it nothing is enforced.
 */
export async function attachInspector(
  start: () => void,
  onLost: (error: unknown) => void
): Promise<Inspector> {
  const session = new Session()
  const attached = Promise.withResolvers<string>()
  const waiting = new Map<number, (reply: Reply) => void>()
  let asked = 0
  let held: string | undefined
  session.connect()
  session.on('NodeWorker.attachedToWorker', ({ params }) => attached.resolve(params.sessionId))
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
    const reply: Reply = JSON.parse(params.message)
    waiting.get(reply.id ?? 0)?.(reply)
    waiting.delete(reply.id ?? 0)
  })
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
  start()
  const sessionId = await attached.promise
  const ask = (method: string, params?: object): Promise<Reply> => {
    const id = ++asked
    const message = JSON.stringify({ id, method, params })
    const reply = Promise.withResolvers<Reply>()
    // The reply may come while the question is still being posted.
    waiting.set(id, reply.resolve)
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message }).catch(onLost)
    return reply.promise
  }
  return {
    async terminate(within) {
      const reply = await patiently(within, ask('Runtime.terminateExecution'))
      return reply !== late && reply.error === undefined
    },
    async hold(name) {
      const { result } = await ask('Runtime.evaluate', { expression: name })
      held = result?.result?.objectId
      if (held === undefined) onLost(new Error(`there is no ${name} to take hold of`))
    },
    async call(method, within) {
      const functionDeclaration = `function () { return this.${method}() }`
      const params = { objectId: held, functionDeclaration, returnByValue: true, silent: true }
      const reply = await patiently(within, ask('Runtime.callFunctionOn', params))
      return reply === late ? undefined : reply.result?.result?.value
    }
  }
}
