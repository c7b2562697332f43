// An import has Node load what stands behind each of its names: promises, streams and watchers.
const { existsSync, openSync, readdirSync, readFileSync, readSync } =
  process.getBuiltinModule('node:fs')

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
const poolName = 'libuv-worker'

/** The threads of this process with a name; throws where the system does not tell of them. */
export function threadsNamed(name: string, folder = threads): string[] {
  if (!existsSync(folder))
    throw new Error(`Functions need Linux: there is no ${folder} to measure processor time by.`)
  return readdirSync(folder).filter(
    (id) => readFileSync(`${folder}/${id}/comm`, 'utf8').trim() === name
  )
}

/**
 * Opens the clock of all threads that do what takes long for others: digests, keys, compression;
 * processor time in microseconds, up to a tick of the scheduler behind.
 */
export function openPoolClock(): () => number {
  let files: number[] = []
  const buffer = Buffer.alloc(64)
  const usedUs = (file: number) =>
    Number.parseInt(buffer.toString('latin1', 0, readSync(file, buffer, 0, 64, 0)), 10) / 1_000
  return () => {
    // They are all begun together, as soon as there is something to do.
    if (files.length === 0)
      files = threadsNamed(poolName).map((id) => openSync(`${threads}/${id}/schedstat`, 'r'))
    return files.reduce((sum, file) => sum + usedUs(file), 0)
  }
}

/** Reads the clock of the thread with this name, even while it is deep in one built-in. */
export function openThreadClock(name: string): ThreadClock {
  const [thread] = threadsNamed(name)
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
