/** How many ms answers took that were asked for in turn: refusals, and what is usually answered. */
export type AnswerTimes = { refused: readonly number[]; usual: readonly number[] }

/** How much sooner refusals come that tell something: a part of the usual time, and ms less. */
const sooner = { part: 0.4, byMs: 4 }

/** Of how many refusals a busy machine may have held up one. */
const held = 5

/**
 * What the time says of who refuses: refusals that come in less than half of the least that the
 * usual answer takes never came to whoever gives that. In words; undefined where the time tells
 * nothing: who refuses late may do so by himself.
 */
export function soonerThanUsual({ refused, usual }: AnswerTimes): string | undefined {
  if (refused.length === 0 || usual.length === 0) return
  const leastMs = Math.min(...usual)
  const slowest = refused.toSorted((one, other) => other - one)
  const mostMs = slowest[Math.floor(refused.length / held)]!
  if (mostMs > sooner.part * leastMs || leastMs - mostMs < sooner.byMs) return
  const [soon, late] = [mostMs, leastMs].map((ms) => `${Number(ms.toPrecision(2))} ms`)
  const who = 'somebody before whoever answers as usual'
  return `${who}, by the time: within ${soon}, and that takes ${late}`
}
