import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

/** What the kernel says of a process: processor time of all its threads, and resident memory. */
export type ProcessUsage = { cpuUs: number; residentBytes: number }

/** A look at what a process uses, again and again; it needs nothing of the process itself. */
export type UsageReader = {
  /** Undefined once the process is gone, and on machines that have no `/proc`. */
  read(): ProcessUsage | undefined
  close(): void
}

/** Linux tells processor time in hundredths of a second, whatever its own ticks are. */
const tickUs = 10_000

/** Processor time in ticks and resident memory in pages, as `/proc/<pid>/stat` has them. */
function parse(stat: string): { ticks: number; pages: number } {
  // The name before may hold whatever it likes, but no bracket comes after its own.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { ticks: Number(fields[11]) + Number(fields[12]), pages: Number(fields[21]) }
}

let pageBytes: number | undefined

/** Bytes of a page: a power of two, and the one by which Node tells of its own memory. */
function bytesOfPage(): number {
  const { pages } = parse(readFileSync('/proc/self/stat', 'latin1'))
  return 2 ** Math.round(Math.log2(process.memoryUsage.rss() / pages))
}

/** Longer than all that is told of a process can be: a name, and 51 numbers. */
const buffer = Buffer.alloc(2_048)

/**
 * Opens the kernel's words on a process. They are read ten times a second: what is kept open costs
 * a sixth of what is found by its number each time, and cannot become another process's.
 */
export function openUsage(pid: number): UsageReader {
  let file: number | undefined
  try {
    file = openSync(`/proc/${pid}/stat`, 'r')
  } catch {
    // It is not there, or there is nothing that tells of it.
  }
  return {
    read() {
      if (file === undefined) return undefined
      try {
        const bytes = readSync(file, buffer, 0, buffer.length, 0)
        const { ticks, pages } = parse(buffer.toString('latin1', 0, bytes))
        pageBytes ??= bytesOfPage()
        return { cpuUs: ticks * tickUs, residentBytes: pages * pageBytes }
      } catch {
        return undefined
      }
    },
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
    }
  }
}
