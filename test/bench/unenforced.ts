// The same handler behind the same two borders as in an isolate, a process and a thread, where
// nothing is counted, watched or recorded: the rest of an isolate's cost is what enforcing costs.
import { fork } from 'node:child_process'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

/** What crosses to the handler, and what comes back. */
type Asked = { id: number; method: string; url: string; headers: [string, string][] }
type Answered = { id: number; status: number; headers: [string, string][]; body: Uint8Array }

/** Gathers what becomes due together, and sends it together, as isolates do. */
function together<T>(send: (items: T[]) => void): (item: T) => void {
  let outbox: T[] = []
  return (item) => {
    if (outbox.push(item) > 1) return
    setImmediate(() => {
      const items = outbox
      outbox = []
      send(items)
    })
  }
}

/** Starts the process; returns what asks the handler of a module with this source. */
export function openUnenforced(source: string): (asked: Omit<Asked, 'id'>) => Promise<Answered> {
  const child = fork(import.meta.filename, [source], { serialization: 'advanced' })
  const waiting = new Map<number, (answered: Answered) => void>()
  let asked = 0
  child.on('message', (answers) => {
    for (const answered of answers as Answered[]) {
      waiting.get(answered.id)!(answered)
      waiting.delete(answered.id)
    }
  })
  const send = together<Asked>((items) => void child.send(items))
  return (request) => {
    const { promise, resolve } = Promise.withResolvers<Answered>()
    waiting.set(++asked, resolve)
    send({ ...request, id: asked })
    return promise
  }
}

function host(source: string) {
  const worker = new Worker(import.meta.filename, { argv: [source] })
  const send = together<Answered>((items) => void process.send!(items))
  process.on('disconnect', () => process.exit())
  process.on('message', (items) => {
    for (const asked of items as Asked[]) worker.postMessage(asked)
  })
  worker.on('message', send)
}

async function guest(source: string) {
  const { default: handler } = await import(`data:text/javascript,${encodeURIComponent(source)}`)
  parentPort!.on('message', async ({ id, method, url, headers }: Asked) => {
    const answer: Response = await handler.fetch(new Request(url, { method, headers }))
    const body = new Uint8Array(await answer.arrayBuffer())
    parentPort!.postMessage({ id, status: answer.status, headers: [...answer.headers], body })
  })
}

const [, program, source] = process.argv
if (!isMainThread) await guest(source!)
else if (program === import.meta.filename) host(source!)
