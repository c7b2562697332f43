// Loaded into a process of functions before anything else: says on a descriptor of its own which
// code of the platform ran there, in the host and in the guest's thread, when it is signalled to.
import { writeSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector'
import { coverageFd } from './function-coverage.ts'

const counting = { callCount: true, detailed: true }
/** A guest in the middle of something long may not answer. */
const guestMs = 1_500

const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', counting)

let guest: string | undefined
let asked = 0
const waiting = new Map<number, (reply: { result?: unknown }) => void>()
const askGuest = (method: string, params?: object): Promise<{ result?: unknown }> => {
  const id = ++asked
  const message = JSON.stringify({ id, method, params })
  const { promise, resolve } = Promise.withResolvers<{ result?: unknown }>()
  waiting.set(id, resolve)
  session.post('NodeWorker.sendMessageToWorker', { sessionId: guest!, message })
  return promise
}
session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
  const reply = JSON.parse(params.message)
  waiting.get(reply.id)?.(reply)
  waiting.delete(reply.id)
})
session.on('NodeWorker.attachedToWorker', ({ params }) => {
  guest = params.sessionId
  void askGuest('Profiler.enable')
  void askGuest('Profiler.startPreciseCoverage', counting)
})
session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })

type Covered = { result?: Profiler.ScriptCoverage[] }

function ownScripts(): Profiler.ScriptCoverage[] {
  let found: Profiler.ScriptCoverage[] = []
  // The session is this thread's own: it calls back at once.
  session.post('Profiler.takePreciseCoverage', (_error, covered) => {
    found = covered?.result ?? []
  })
  return found
}

async function guestScripts(): Promise<Profiler.ScriptCoverage[]> {
  if (guest === undefined) return []
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), guestMs))
  const reply = await Promise.race([askGuest('Profiler.takePreciseCoverage'), late])
  return (reply?.result as Covered | undefined)?.result ?? []
}

async function tell() {
  const scripts = [...ownScripts(), ...(await guestScripts())]
  const own = scripts.filter(({ url }) => url.includes('/src/platform/'))
  writeSync(coverageFd, `${JSON.stringify(own)}\n`)
}

process.on('SIGUSR2', tell)
// From now on it can be asked.
writeSync(coverageFd, '[]\n')
const { kill } = process
// What ends itself would take along what it could tell.
process.kill = (pid, signal) => {
  if (pid === process.pid) void tell().finally(() => kill.call(process, pid, signal))
  else kill.call(process, pid, signal)
  return true
}
