import { readFileSync } from 'node:fs'

/** What the kernel says of a process: processor time of all its threads, and resident memory. */
export type ProcessUsage = { cpuUs: number; residentBytes: number }

/** Linux tells processor time in hundredths of a second, whatever its own ticks are. */
const tickUs = 10_000

/**
 * Reads what a process uses, which needs nothing of the process itself; undefined once it is gone,
 * and on machines that have no `/proc`.
 */
export function usageOfProcess(pid: number): ProcessUsage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name before may hold whatever it likes, but no bracket comes after its own.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const resident = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
    if (!resident) return undefined
    const ticks = Number(fields[11]) + Number(fields[12])
    return { cpuUs: ticks * tickUs, residentBytes: Number(resident[1]) * 1_024 }
  } catch {
    return undefined
  }
}
