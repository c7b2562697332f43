import type { Pace } from './rate-known.ts'
import type { RateLimit } from './rate-limit.ts'
import { outerOf } from './rate-outer.ts'
import type { Questions, RateAsker, Sighting } from './rate-question.ts'
import { middle } from './rate-span.ts'
import { twoBuckets } from './rate-stacked.ts'
import { windowOf } from './rate-trial.ts'

/**
 * How fast it is asked where one limit is known, as a part of what that lets through: closer to it
 * where it takes many at once, so that one that came late makes no refusal.
 */
const below = { few: 0.8, many: 0.92, from: 8 }

/** What may be made up for at once after a delay, as a part of what the first lets through. */
const madeUp = 0.15

/** For how long, in ms, and how many are sent at most. */
const shortestMs = 22_000
const longestMs = 24_000
const mostSent = 1_500

/** For how long it is asked on once one was refused, in ms. */
const afterMs = 12_000

/** For how many of its windows the first alone never refuses those that come so slowly. */
const beyond = 1.2

/**
 * What part of how many no bucket refuses to who keeps below its pace, where that was measured
 * rightly; of windows that are shorter, in ms, the machine's own delays do.
 */
const many = { part: 0.12, from: 50, windowMs: 500 }

/** How well a pace is known that is told, as a part of itself. */
const exact = 0.03

/** Groups of requests a second, at most. */
const mostGroups = 40

/**
 * Another limit behind the one that was found: what refuses those that come more slowly than the
 * first lets through. Undefined where none was seen to, while it was asked for 22 s or more.
 */
export function* anotherLayer(
  asking: RateAsker,
  known: Pace,
  found: RateLimit
): Questions<RateLimit | undefined> {
  const windowMs = middle(windowOf(known))
  const perSecond = found.perSecond ?? (1_000 * known.level) / windowMs
  const part = known.level < below.from ? below.few : below.many
  const paceMs = 1_000 / (part * perSecond)
  const size = Math.max(1, Math.min(Math.ceil(1_000 / mostGroups / paceMs), known.level >> 1))
  const forMs = Math.min(Math.max(shortestMs, 3 * windowMs), longestMs, mostSent * paceMs)
  // What it was asked before is to be no part of it, as far as the first goes.
  const began = asking.now + 1.2 * windowMs
  const lagMs = Math.max(0.5, madeUp * known.level) * paceMs
  const seen: Sighting[] = []
  let next = began
  let until = began + forMs
  let isRefused = false
  while (next < until) {
    const group = yield* asking.burst(next, size, { inFlight: size })
    seen.push(...group.seen)
    const late = isRefused ? toldOf(seen, { asking, known, found, paceMs })?.told : undefined
    if (late && late.algorithm !== asking.soFar.algorithm) asking.soFar = late
    // Whatever held some up, they are asked as fast on the whole, or another limit is never met.
    next = Math.max(next, asking.now - lagMs) + size * paceMs
    if (group.refused && !isRefused) {
      isRefused = true
      until = asking.now + afterMs
    }
  }
  const { told, less } = (isRefused && toldOf(seen, { asking, known, found, paceMs })) || {}
  if (told && less !== undefined) {
    const again = yield* asManyAgain(asking, known)
    return again === undefined ? told : { ...told, because: `${less}; ${again}` }
  }
  const stacked = told && isOneByOne(seen, known) && (yield* twoBuckets(asking, known))
  if (stacked) return stacked
  if (told?.algorithm !== 'stacked' || size > 1) return told
  asking.soFar = told
  const outer = yield* outerOf(asking, seen, { run: longestRun(seen), paceMs })
  if (!outer) return told
  const because = told.because.replace(behind, `${behind} ${outer.words};`)
  return { ...told, behind: outer.behind, because }
}

/** What is said where as many as before are let through at once, though it seemed to be less. */
function* asManyAgain(asking: RateAsker, known: Pace): Questions<string | undefined> {
  const again = yield* asking.burst(asking.now + 1.2 * middle(windowOf(known)))
  if (!again.refused || again.accepted < asBefore * known.level) return
  const many = `and ${again.accepted.toLocaleString('en')} at once again after that`
  const why = 'as where workers count for themselves what comes to each'
  return `${many}: one at a time fewer are let through, ${why}`
}

/** What part of a level is as many as before. */
const asBefore = 0.9

/** What may be where another limit, or less of the one that is known, cannot be told. */
const another = 'there is another limit, it became less, or connections count apart'

/** Whether what came back after a refusal did so one at a time, as of two buckets. */
function isOneByOne(seen: readonly Sighting[], { isGradual }: Pace): boolean {
  const after = seen.slice(seen.findIndex(({ kind }) => kind === 'rejected'))
  const isTaken = after.map(({ kind }) => kind === 'accepted')
  const taken = isTaken.filter((isOne) => isOne).length
  const together = isTaken.filter((isOne, index) => isOne && isTaken[index + 1]).length
  return isGradual && taken >= leastBack && together <= mostTogether * taken
}

/** How many have to come back, and how many of them beside another, as a part. */
const leastBack = 8
const mostTogether = 0.2

const behind = 'and a slower one behind it:'

/** What is told of a paced row, and in `less` what was seen of one that seems to be less now. */
type Late = { told: RateLimit; less?: string }

/** What the refusals of a paced row come to. */
function toldOf(
  seen: readonly Sighting[],
  { asking, known, found, paceMs }: Told
): Late | undefined {
  const first = seen.findIndex(({ kind }) => kind === 'rejected')
  const after = seen.slice(first)
  const refused = after.filter(({ kind }) => kind === 'rejected').length
  // One that came too soon after the one before is no other limit.
  const windowMs = middle(windowOf(known))
  const isTelling = known.isGradual && after.length >= many.from && windowMs >= many.windowMs
  const isMany = refused >= (isTelling ? many.part : 0.3) * after.length
  if (refused < 5 || !(isMany || refusedMs(seen) > beyond * windowMs)) return
  const run = longestRun(seen)
  const asked = `asked ${number(1_000 / paceMs)} a second`
  const [from, to] = [after[0]!.sent, after.at(-1)!.answered]
  const taken = after.length - refused
  const long = `${Math.round((to - from) / 1_000)} s`
  // What comes back in whole windows has no rate in part of one.
  const then = taken === 0 ? `none for ${long}` : `${taken} of ${after.length} within ${long}`
  const beside = `${asked}, ${run} in a row were accepted, then ${then}`
  const { status } = asking
  if (isLess(after, known, found)) {
    const less = `${found.because}; but ${beside}`
    const because = `${less}, in windows as long as before: it lets through less than it did`
    return { told: { algorithm: 'unclear', status, because, repeats: '1/1' }, less }
  }
  // Where the first is not well known it may be slower than was thought, and where it is the other
  // may have been used up before.
  const isMost = refused > 0.5 * after.length
  const isLong = run >= Math.max(2 * known.level, 10)
  if (found.algorithm === 'unclear' ? !isMost || !isLong : !isMost && !isLong) {
    const because = `${found.because}; but ${beside}: ${another}`
    return { told: { algorithm: 'unclear', status, because, repeats: '1/1' } }
  }
  const { from: least, to: most } = known.spacing
  const isKnown = found.perSecond !== undefined || most - least < exact * most
  const perSecond = found.perSecond ?? 1_000 / middle(known.spacing)
  const once = found.burst ?? known.level
  const pace = isKnown ? `, ${number(perSecond)} a second` : ''
  const kind = found.algorithm === 'unclear' ? '' : ` (${found.algorithm.replace('-', ' ')})`
  const one = `one limit: ${once.toLocaleString('en')} at once${pace}${kind}`
  const because = `${one}; ${behind} ${beside}`
  const told = { algorithm: 'stacked', burst: once, status, because, repeats: '1/1' } as const
  const { windowMs: ownMs } = found
  const own = { ...(isKnown && { perSecond }), ...(ownMs !== undefined && { windowMs: ownMs }) }
  return { told: { ...told, ...own } }
}

/** How many runs of accepted ones tell, how close to a window apart, and how many fewer each. */
const less = { runs: 3, near: 0.1, part: 0.8 }

/**
 * Whether fewer are accepted each time in windows as long as those found: another limit of such
 * windows would have let no more through from the beginning.
 */
function isLess(seen: readonly Sighting[], { level }: Pace, { windowMs }: RateLimit): boolean {
  if (windowMs === undefined) return false
  const runs: { from: number; count: number }[] = []
  for (const [index, { kind, sent }] of seen.entries()) {
    if (kind !== 'accepted') continue
    if (index > 0 && seen[index - 1]!.kind !== 'accepted') runs.push({ from: sent, count: 0 })
    const run = runs.at(-1)
    if (run) run.count++
  }
  const whole = runs.slice(0, -1)
  const isNear = (ms: number) => Math.abs(ms / windowMs - 1) < less.near
  const are = whole.map(({ from, count }, index) => {
    return isNear(runs[index + 1]!.from - from) && count > 1 && count <= less.part * level
  })
  return whole.length >= less.runs && are.every((isOne) => isOne)
}

type Told = { asking: RateAsker; known: Pace; found: RateLimit; paceMs: number }

/** For how long none was accepted at most, in ms. */
function refusedMs(seen: readonly Sighting[]): number {
  let longestMs = 0
  let since: number | undefined
  for (const { kind, sent, answered } of seen) {
    since = kind === 'rejected' ? (since ?? answered) : undefined
    if (since !== undefined) longestMs = Math.max(longestMs, sent - since)
  }
  return longestMs
}

function longestRun(seen: readonly Sighting[]): number {
  let [run, longest] = [0, 0]
  for (const { kind } of seen) {
    run = kind === 'accepted' ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}

function number(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en')
}
