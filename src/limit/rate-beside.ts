import type { Answer } from './answer.ts'
import type { RateLimit } from './rate-limit.ts'
import { inMs, middle, type Span } from './rate-span.ts'

/** One answer, and when it was asked for and came, in ms of the clock. */
type Answered = { kind: Answer['kind']; sent: number; answered: number }

/** What was seen: all answers, and for how long nothing was accepted, in the order of time. */
type Seen = { record: readonly Answered[]; refusals: { lasted: readonly Span[] } }

/** How well a time has to be known that is told, as a part of itself. */
const sharp = 0.25

/** How many refusals in a row have to last longer, and how much longer each, as a part. */
const grown = { many: 3, times: 1.3 }

/** How many runs have to have taken as many, and how many times as many one after a longer rest. */
const alike = { runs: 3, times: 1.4, longer: 2 }

/**
 * What was seen of a limit that speaks for what it is, where its kind is not decided, in words:
 * refusals that last longer each time, or more that is taken after a longer rest. Undefined where
 * it was neither.
 */
export function besideOf({ refusals, record }: Seen): string | undefined {
  return growing(refusals.lasted) ?? moreAfterRest(record)
}

function growing(lasted: readonly Span[]): string | undefined {
  const known = lasted.filter(({ from, to }) => to - from <= sharp * to)
  let run: Span[] = []
  let longest: Span[] = []
  for (const one of known) {
    const last = run.at(-1)
    run = last && middle(one) >= grown.times * middle(last) ? [...run, one] : [one]
    if (run.length > longest.length) longest = run
  }
  if (longest.length < grown.many) return
  const times = longest.map((one) => inMs(middle(one))).join(', ')
  return `refusals lasted longer each time (${times})`
}

/** How many were taken in a row, and for how many ms none had been before. */
type Run = { count: number; restMs: number }

function moreAfterRest(record: readonly Answered[]): string | undefined {
  const runs = runsIn(record)
  const usual = usualCount(runs)
  if (usual === undefined) return
  const few = runs.filter(({ count }) => count === usual)
  const restMs = Math.max(...few.map((one) => one.restMs))
  const many = runs.filter((one) => {
    return one.count >= alike.times * usual && one.restMs >= alike.longer * restMs
  })
  const [more] = many
  if (few.length < alike.runs || many.length < 2 || usual < 2 || !more) return
  const [short, long] = [restMs, Math.min(...many.map((one) => one.restMs))].map(inMs)
  const most = Math.max(...many.map(({ count }) => count))
  return (
    `${usual} were taken ${short} after the last and sooner, and ${most} after ${long}: some ` +
    'come back later than others, as of two limits or an allowance for bursts'
  )
}

/** The number that was taken most often, of those of which it was more than once. */
function usualCount(runs: readonly Run[]): number | undefined {
  const counts = new Map<number, number>()
  for (const { count } of runs) counts.set(count, (counts.get(count) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0]
}

/** Runs of those taken that a refusal ended, and that began after another one. */
function runsIn(record: readonly Answered[]): Run[] {
  const sorted = record.toSorted((one, other) => one.sent - other.sent)
  const runs: Run[] = []
  let [count, from, lastAt, isAfterRefusal] = [0, 0, Number.NaN, false]
  for (const { kind, sent, answered } of sorted) {
    if (kind === 'accepted') {
      if (count === 0) from = sent
      count++
      continue
    }
    if (kind !== 'rejected') continue
    if (count > 0 && isAfterRefusal) runs.push({ count, restMs: from - lastAt })
    if (count > 0) lastAt = Math.min(sent, answered)
    ;[count, isAfterRefusal] = [0, true]
  }
  return runs.filter(({ restMs }) => restMs > 0)
}

/** How many times as many are more than ever, how many beside, and how often it has to be. */
const beyond = { times: 1.1, more: 1, often: 2 }

/**
 * That more was taken than such a limiter ever takes, in words; undefined of others, or where that
 * was not seen. A window by the clock is left out, since one may have ended meanwhile.
 */
export function moreThanEver(record: readonly Answered[], found: RateLimit): string | undefined {
  const { algorithm, anchor, perSecond, burst = 0, windowMs = 0 } = found
  const isOwn = algorithm === 'sliding-log' || anchor === 'first-request'
  if (isOwn) return moreAtOnce(record, { burst, windowMs })
  const isGradual = algorithm === 'sliding-counter' || algorithm === 'token-bucket'
  return isGradual && perSecond !== undefined ? moreTogether(record, 1_000 / perSecond) : undefined
}

/** After how many windows one is over for sure, by a clock of seconds too, and within what part. */
const windows = { rest: 2.1, once: 0.3 }

/** More after a rest than a window or a log takes, or at first than two, as one may have ended. */
function moreAtOnce(
  record: readonly Answered[],
  { burst, windowMs }: { burst: number; windowMs: number }
): string | undefined {
  const taken = record.filter(({ kind }) => kind === 'accepted')
  const times = taken.toSorted((one, other) => one.sent - other.sent)
  for (const [nth, one] of times.entries()) {
    const before = times[nth - 1]
    if (before && one.sent - before.answered <= windows.rest * windowMs) continue
    const end = one.sent + windows.once * windowMs
    const count = times.slice(nth).findIndex(({ answered }) => answered > end)
    const most = (before ? 1 : 2) * (beyond.times * burst + beyond.more)
    const when = before ? 'after a rest' : 'at first'
    if (count > most)
      return `${count} were taken at once ${when}: two limits, or an allowance for bursts`
  }
}

/** More together since a refusal than come back one every so many ms. */
function moreTogether(record: readonly Answered[], spacingMs: number): string | undefined {
  const sorted = record.toSorted((one, other) => one.sent - other.sent)
  let refused: Answered | undefined
  const counts: number[] = []
  let [count, isMore] = [0, false]
  for (const one of sorted) {
    if (one.kind === 'accepted') {
      if (!refused || one.sent < refused.answered) continue
      count++
      const back = (one.answered - refused.sent) / spacingMs
      isMore = count > beyond.times * back + beyond.more + 1
      continue
    }
    if (isMore) counts.push(count)
    ;[count, isMore] = [0, false]
    refused = one.kind === 'rejected' ? one : undefined
  }
  if (counts.length < beyond.often) return
  const many = Math.max(...counts)
  const often = `${many} came back together, ${counts.length} times`
  return `${often}: two limits, or an allowance for bursts`
}
