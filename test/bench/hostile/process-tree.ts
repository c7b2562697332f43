import { readdirSync, readFileSync } from 'node:fs'

function text(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // It has ended in the meantime.
    return ''
  }
}

/** A process and all that it started, and those started. */
export function treeOf(pid: number): number[] {
  let threads: string[] = []
  try {
    threads = readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
  const children = threads.flatMap((thread) =>
    text(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number)
  )
  return [pid, ...children.flatMap(treeOf)]
}

/** The most resident memory that a process ever had, in bytes; 0 when it has ended. */
function peakOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(text(`/proc/${pid}/status`))?.[1] ?? 0) * 1_024
}

/**
 * Milliseconds of processor time that a process has taken, with all that it started and that those
 * started, also what has ended; 0 where no system tells.
 */
export function processorMs(pid: number): number {
  const ofOne = (one: number) => {
    // Behind the name, which may have spaces: user and system, its own and of children that ended.
    const fields = text(`/proc/${one}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
  }
  return treeOf(pid).reduce((sum, one) => sum + tickMs * ofOne(one), 0)
}

/** What the system counts processor time by. */
const tickMs = 10

/**
 * Watches what a process and its children take; the function returned ends that, and says how much
 * memory they had at most, each process at its own moment.
 */
export function watchMemory(pid: number): () => number {
  const peaks = new Map<number, number>()
  const look = () => {
    for (const one of treeOf(pid)) peaks.set(one, Math.max(peaks.get(one) ?? 0, peakOf(one)))
  }
  const timer = setInterval(look, 50)
  return () => {
    clearInterval(timer)
    return [...peaks.values()].reduce((sum, peak) => sum + peak, 0)
  }
}
