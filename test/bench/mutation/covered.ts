import type { Profiler } from 'node:inspector'

/** Stretches of a text, each by its beginning and the place behind its end, in order. */
export type Stretches = [start: number, end: number][]

/** Which stretches of each file ran, files by their path from the project's folder. */
export type Covered = Record<string, Stretches>

/**
 * What ran, of what V8 says: of ranges within each other the innermost counts. A file that ran in
 * several threads or processes ran where it did in any of them.
 */
export function coveredBy(scripts: readonly Profiler.ScriptCoverage[]): Covered {
  const covered: Covered = {}
  for (const { url, functions } of scripts) {
    const file = url.slice(url.lastIndexOf('/src/platform/') + 1)
    const stretches = stretchesOf(functions)
    if (stretches.length > 0) covered[file] = joined(stretches, covered[file])
  }
  return covered
}

function stretchesOf(functions: readonly Profiler.FunctionCoverage[]): Stretches {
  const ranges = functions
    .flatMap((one) => one.ranges)
    .sort((one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset)
  const ran = new Uint8Array(Math.max(0, ...ranges.map(({ endOffset }) => endOffset)) + 1)
  for (const { startOffset, endOffset, count } of ranges)
    ran.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  const stretches: Stretches = []
  for (const [at, is] of ran.entries()) {
    const last = stretches.at(-1)
    if (!is) continue
    if (last?.[1] === at) last[1] = at + 1
    else stretches.push([at, at + 1])
  }
  return stretches
}

/** Whether any of a stretch ran. */
export function touches(stretches: Stretches = [], start: number, end: number): boolean {
  return stretches.some(([from, to]) => from < Math.max(end, start + 1) && start < to)
}

/** Stretches of either of two lists, without an overlap. */
export function joined(one: Stretches, other: Stretches = []): Stretches {
  const all: Stretches = []
  for (const [start, end] of [...one, ...other].sort(([a], [b]) => a - b)) {
    const last = all.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else all.push([start, end])
  }
  return all
}

/** How many characters of some stretches are in none of the others, both in order. */
export function sizeBeyond(stretches: Stretches, others: Stretches = []): number {
  let size = 0
  let next = 0
  for (const [start, end] of stretches) {
    let at = start
    while (next < others.length && others[next]![1] <= start) next++
    for (let one = next; one < others.length && others[one]![0] < end; one++) {
      size += Math.max(0, others[one]![0] - at)
      at = Math.max(at, others[one]![1])
    }
    size += Math.max(0, end - at)
  }
  return size
}
