/** How a load ended after whose last answer nothing came back, as plain data. */
export type FinalSilence = {
  /** Requests that ended since then, in their time or when it was over, and had no answer. */
  unanswered: number
  /** From then to the end of the load, and how long was waited after it. */
  loadMs: number
  afterMs: number
  /** The slowest answer that came before. */
  slowestMs: number
}

/**
 * A target that answers may lose a request, and stall for 2 s; less is the machine's own. Who is
 * asked by one user that waits leaves one request, which tells as much where it takes longer.
 */
const least = { allMs: 3_500, loadMs: { ofOne: 3_000, ofMore: 1_000 } }

/** What lasts so many times as long as any answer before is not late by chance. */
const muchLonger = 3

/** That a target answers no longer, in words; undefined where it may only have stalled. */
export function silenceText(silence: FinalSilence): string | undefined {
  const { unanswered, loadMs, afterMs, slowestMs } = silence
  const isLong = loadMs + afterMs >= Math.max(least.allMs, muchLonger * slowestMs)
  const leastMs = unanswered > 1 ? least.loadMs.ofMore : least.loadMs.ofOne
  if (unanswered === 0 || loadMs < leastMs || !isLong) return
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  const after = afterMs >= 100 ? `, nor in ${seconds(afterMs)} after them` : ''
  return `nothing came back in the last ${seconds(loadMs)}${after}: the target answers no longer`
}
