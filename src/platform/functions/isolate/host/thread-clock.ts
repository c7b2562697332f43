import { openSync, readdirSync, readFileSync, readSync } from 'node:fs'

/** What the kernel says of a thread of this process. */
export type ThreadClock = {
  /** Processor time the thread has used, in microseconds; up to a tick of the scheduler behind. */
  cpuUs(): number
  /** Changes whenever the thread has run. */
  trace(): string
  /** Whether the thread runs, or would if there were a processor for it. */
  isRunnable(): boolean
}

const threads = '/proc/self/task'

/** Reads the clock of the thread with this name, even while it is deep in one built-in. */
export function openThreadClock(name: string): ThreadClock {
  const thread = readdirSync(threads).find(
    (id) => readFileSync(`${threads}/${id}/comm`, 'utf8').trim() === name
  )
  if (thread === undefined) throw new Error(`there is no thread named ${name}`)
  const file = openSync(`${threads}/${thread}/schedstat`, 'r')
  const status = openSync(`${threads}/${thread}/stat`, 'r')
  const buffer = Buffer.alloc(64)
  const read = (from: number) => buffer.toString('latin1', 0, readSync(from, buffer, 0, 64, 0))
  const trace = () => read(file)
  return {
    cpuUs: () => Number.parseInt(trace(), 10) / 1_000,
    trace,
    isRunnable: () => read(status).includes(') R ')
  }
}
