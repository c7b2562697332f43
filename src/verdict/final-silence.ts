/** How a load ended after whose last answer nothing came back, as plain data. */
export type FinalSilence = {
  /** Requests that ended since then, in their time or when it was over, and had no answer. */
  unanswered: number
  /**
   * Where others were answered meanwhile: how many can be under way at once, of which so many had
   * no answer at any moment since then.
   */
  of?: number
  /** From then to the end of the load, and how long was waited after it. */
  loadMs: number
  afterMs: number
  /** The slowest answer that came in a usual quarter of a second before. */
  slowestMs: number
}

/**
 * A target that answers may lose a request, and stall for 2 s; less is the machine's own. Who is
 * asked by one user that waits leaves one request, which tells as much where it takes longer.
 */
const least = { allMs: 3_500, loadMs: { ofOne: 3_000, ofMore: 1_000 } }

/** What lasts so many times as long as any usual answer before is not late by chance. */
const muchLonger = 3

/** So small a share of those under way is a loss, and judged as errors are. */
const leastShare = 0.05

/** That a target answers no longer, in words; undefined where it may only have stalled. */
export function silenceText(silence: FinalSilence): string | undefined {
  const { unanswered, of, loadMs, afterMs, slowestMs } = silence
  const isLong = loadMs + afterMs >= Math.max(least.allMs, muchLonger * slowestMs)
  const leastMs = unanswered > 1 ? least.loadMs.ofMore : least.loadMs.ofOne
  if (unanswered === 0 || loadMs < leastMs || !isLong) return
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  const after = afterMs >= 100 ? `, nor in ${seconds(afterMs)} after them` : ''
  const last = `in the last ${seconds(loadMs)}${after}`
  if (of === undefined) return `nothing came back ${last}: the target answers no longer`
  if (unanswered < of * leastShare) return
  const most = `${of} requests that can be under way at once`
  return `at least ${unanswered} of ${most} had no answer ${last}`
}

/**
 * The most requests that were silent at the end while others were answered, by how many waited in
 * each stretch of `cellMs` for what never came: that many, for as long as there never were fewer.
 */
export function silentPart(
  waits: readonly number[],
  { cellMs, endMs, of, slowestMs }: { cellMs: number; endMs: number; of: number; slowestMs: number }
): FinalSilence | undefined {
  // Who asks again at once after a timeout waits a little less than all the time.
  const counts = waits.map((waiting) => Math.min(of, Math.floor(waiting + 0.1)))
  const end = Math.min(counts.length, Math.floor(endMs / cellMs))
  for (let unanswered = counts[end - 1] ?? 0; unanswered > 0; unanswered--) {
    const isFewer = (count: number) => count < unanswered
    const from = counts.slice(0, end).findLastIndex(isFewer) + 1
    const after = counts.slice(end).findIndex(isFewer)
    const loadMs = (end - from) * cellMs
    const afterMs = (after < 0 ? counts.length - end : after) * cellMs
    const found = { unanswered, of, loadMs, afterMs, slowestMs }
    if (silenceText(found) !== undefined) return found
  }
  return
}
