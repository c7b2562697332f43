import { openSync, readdirSync, readFileSync, readSync } from 'node:fs'

/** What the kernel says of a thread of this process. */
export type ThreadClock = {
  /** Processor time the thread has used, in microseconds; up to a tick of the scheduler behind. */
  cpuUs(): number
  /** Changes whenever the thread has run, or waited to. */
  trace(): string
}

const threads = '/proc/self/task'

/** Reads the clock of the thread with this name, even while it is deep in one built-in. */
export function openThreadClock(name: string): ThreadClock {
  const thread = readdirSync(threads).find(
    (id) => readFileSync(`${threads}/${id}/comm`, 'utf8').trim() === name
  )
  if (thread === undefined) throw new Error(`there is no thread named ${name}`)
  const file = openSync(`${threads}/${thread}/schedstat`, 'r')
  const buffer = Buffer.alloc(64)
  const trace = () => buffer.toString('latin1', 0, readSync(file, buffer, 0, 64, 0))
  return { cpuUs: () => Number.parseInt(trace(), 10) / 1_000, trace }
}
