import { readdirSync, readFileSync } from 'node:fs'
import type { Figures } from '../../engine/soak-gauge.ts'
import type { Usage } from '../../verdict/trial.ts'

const pageBytes = 4_096
const tickUs = 10_000

/** The text of a file that may go away at any time, as those of processes do. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** The names in a folder; none where it has gone. */
export function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The fields of a process's `stat` that follow its name, which may hold spaces itself. */
function statOf(pid: string): string[] {
  const stat = textOf(`/proc/${pid}/stat`) ?? ''
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/**
 * A process's time on a core, exact where the kernel counts so and none of its threads or children
 * has ended, else in hundredths of seconds; and how long its threads were ready without one, where
 * the kernel tells.
 */
function timesOf(pid: string): { cpuUs: number; waitUs: number } {
  const threads = entriesOf(`/proc/${pid}/task`).flatMap((thread) => {
    const told = textOf(`/proc/${pid}/task/${thread}/schedstat`)
    return told === undefined ? [] : [told.split(' ').map((ns) => Number(ns) / 1_000)]
  })
  const sum = (at: number) => threads.reduce((total, spent) => total + spent[at]!, 0)
  // Its own, in user and system mode, and that of children who have ended.
  const ticks = statOf(pid).slice(11, 15).map(Number)
  const countedUs = ticks.reduce((total, each) => total + each, 0) * tickUs
  return { cpuUs: Math.max(sum(0), countedUs), waitUs: sum(1) }
}

/** Processes that have not ended, of groups or of all; none where the system does not tell. */
export function processesOf(groups?: readonly number[]): string[] {
  return entriesOf('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    const [state, , own] = statOf(name)
    return state !== 'Z' && (groups === undefined || groups.includes(Number(own)))
  })
}

/** The group of a process. */
export const groupOf = (pid: string) => Number(statOf(pid)[2])

/** When a process began, in ticks of the machine's; NaN where the system does not tell. */
export const beganAt = (pid: string) => Number(statOf(pid)[19])

/** Whether a process of these groups still runs; always false where the system does not tell. */
export function isRunning(groups: readonly number[]): boolean {
  return processesOf(groups).length > 0
}

/**
 * What all processes of groups have spent and hold, as the kernel tells under `/proc`; undefined
 * where there is no such thing, or no such group.
 */
export function usageOf(groups: readonly number[]): Usage | undefined {
  const pids = processesOf(groups)
  if (pids.length === 0) return
  const rssPages = pids.map((pid) => Number(textOf(`/proc/${pid}/statm`)?.split(' ')[1] ?? 0))
  const times = pids.map(timesOf)
  return {
    cpuUs: times.reduce((sum, { cpuUs }) => sum + cpuUs, 0),
    waitUs: times.reduce((sum, { waitUs }) => sum + waitUs, 0),
    rssBytes: rssPages.reduce((sum, pages) => sum + pages * pageBytes, 0)
  }
}

/** The processors that threads of groups may run on, as the kernel lists them: `0-1`; `0`, `1`. */
export function placesOf(groups: readonly number[]): string[] {
  const threads = processesOf(groups).flatMap((pid) =>
    entriesOf(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/status`)
  )
  return [...new Set(threads.flatMap((file) => placesIn(textOf(file)) ?? []))]
}

/** The processors that a `status` allows, as the kernel lists them. */
export const placesIn = (status = '') => /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1]

/** The number a process's `status` gives a name; undefined when it gives none. */
function statusNumber(status: string, name: string): number | undefined {
  const found = new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)
  return found ? Number(found[1]) : undefined
}

/**
 * What one process holds and has spent: memory, descriptors, threads, processor time; undefined
 * where the system does not tell, or when the process has ended.
 */
export function figuresOf(pid: number): Figures | undefined {
  const status = textOf(`/proc/${pid}/status`) ?? ''
  const rssKiB = statusNumber(status, 'VmRSS')
  const threads = statusNumber(status, 'Threads')
  if (rssKiB === undefined || threads === undefined) return
  const descriptors = entriesOf(`/proc/${pid}/fd`).length
  return {
    values: { rss: rssKiB * 1_024, threads, ...(descriptors > 0 && { descriptors }) },
    cpuUs: timesOf(`${pid}`).cpuUs,
    // A process's number may be given to another one; when it began tells them apart.
    process: `${pid} ${beganAt(`${pid}`)}`
  }
}
