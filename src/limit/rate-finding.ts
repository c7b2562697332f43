import { tickMs } from './fit/asked-once.ts'
import type { Pace } from './rate-known.ts'
import type { RateLimit } from './rate-limit.ts'
import { common, inMs, middle, middleOf, minus, type Span, scaled, widened } from './rate-span.ts'
import { isLong, type Kind, kindOf, type LimiterTrial, levelsOf } from './rate-trial.ts'

/**
 * What one trial found out: the level, between which numbers it is, the window in ms, and whether
 * that is as well measured as it can be.
 */
export type RateFinding = {
  kind: Kind
  level: number
  levels: Span
  window: Span
  isSharp: boolean
}

/** What a trial found; undefined where no limiter, or more than one, would do what it saw. */
export function found(seen: LimiterTrial, known: Pace): RateFinding | undefined {
  const kind = kindOf(seen, known)
  if (!kind) return
  const { release, start, plan } = seen
  const level = levelOf(seen, known)
  if (kind === 'token-bucket') return bucket(seen, known)
  const levels = { from: level, to: level }
  // A counter's window shows from a sharp boundary on.
  const isSharp = !isCounter(kind) || !!known.isMeasured
  if (kind === 'clock' || kind === 'sliding-counter') {
    const window = scaled(minus(release, known.reference), 1 / plan.windows)
    return { kind, level, levels, isSharp, window }
  }
  return { kind, level, levels, isSharp, window: minus(release, start) }
}

/**
 * A bucket: the next token, too, tells how many there were at first. Its rate is that of the long
 * run, which no count of what came back within one trial is exact enough for, unless it was one.
 */
function bucket(seen: LimiterTrial, known: Pace): RateFinding {
  const { release, start, accepted } = seen
  const burst = levelsOf(seen, known)
  const from = accepted + 1 - (release.to - start.from) / known.spacing.from
  const to = accepted + 1 - Math.max(0, release.from - start.to) / known.spacing.to
  const both = common([burst, { from, to }])
  const levels = widened(both.from <= both.to ? both : burst, tickMs / middle(known.spacing))
  const level = levelOf(seen, known)
  const filled = scaled(known.spacing, level)
  const own = common([filled, minus(release, start)])
  const isOwn = level === 1 && accepted === 1 && own.from <= own.to
  return { kind: 'token-bucket', level, levels, isSharp: true, window: isOwn ? own : filled }
}

/** By what part of itself a window may be longer in one trial than in another. */
const scatter = 0.005

/** How many the target accepts at once, by a trial: without those that came back meanwhile. */
export function levelOf(seen: LimiterTrial, known: Pace): number {
  if (!known.isGradual || isLong(seen, known)) return seen.accepted
  const [least, most] = whole(levelsOf(seen, known))
  return Math.min(Math.max(known.level, least), Math.max(least, most))
}

/** How likely it may be that it was chance that a bucket's size looked whole. */
const mostChance = 0.01

/** How many trials of a bucket are enough, whatever they leave open. */
const many = 9

/** The least and the most whole number in a span. */
function whole({ from, to }: Span): [least: number, most: number] {
  return [Math.max(1, Math.ceil(from)), Math.max(1, Math.ceil(to) - 1)]
}

/** Whether little comes back at once, and late. */
export function isCounter(kind: Kind): boolean {
  return kind === 'sliding-counter' || kind === 'own-counter'
}

/** What is known beside the findings. */
type Beside = {
  /** The trials after the first finding that found nothing, and how many each of them took. */
  misses: number
  odd: readonly number[]
  /** How many came back before the trials, each time. */
  counts: readonly number[]
  status: number | undefined
  /** What those weigh that were accepted, in words, where that differs. */
  weights?: string | undefined
}

/** What the findings amount to. */
export function concluded(
  findings: readonly RateFinding[],
  { misses, odd, counts: before, status, weights }: Beside
): RateLimit {
  const kinds = findings.map(({ kind }) => kind)
  const count = (kind: Kind) => kinds.filter((one) => one === kind).length
  const kind = kinds.toSorted((a, b) => count(b) - count(a))[0]!
  const agreeing = findings.filter((one) => one.kind === kind)
  const trials = findings.length + misses
  const repeats = `${agreeing.length}/${trials}`
  const sharp = agreeing.some(({ isSharp }) => isSharp)
    ? agreeing.filter(({ isSharp }) => isSharp)
    : agreeing
  const level = middleOf(sharp.map((one) => one.level))
  if (isDoubtful(kind, level, agreeing, trials)) {
    const because = `${count(kind)} of ${trials} trials look like ${names[kind]}`
    return { algorithm: 'unclear', status, because, repeats }
  }
  if (kind === 'token-bucket') return bucketOf(agreeing, status, repeats)
  const window = common(sharp.map((one) => one.window))
  if (window.from > (1 + scatter) * window.to) {
    const because = `trials look like ${names[kind]}, but of different lengths each time`
    return { algorithm: 'unclear', status, because, repeats }
  }
  const windowMs = middle(window.from <= window.to ? window : narrowest(sharp))
  const isFixed = kind === 'clock' || kind === 'first-request'
  if (!isCounter(kind)) {
    const own = agreeing.map((one) => one.level)
    // Of a log a part may have come back before, and of a window none.
    const once = Math.max(...before)
    const whole = isFixed ? before : once > Math.max(...own) ? [once] : []
    const counts = [...own, ...whole, ...odd]
    const [least, most] = [Math.min(...counts), Math.max(...counts)]
    if (isUneven(counts)) {
      const weigh = weights ? `; answers weigh ${weights}, which may be what is counted` : ''
      const told = reason(kind, [least, most], windowMs)
      const because = `${told}: how many differs each time${weigh}`
      return { algorithm: 'unclear', status, because, repeats }
    }
  }
  return {
    algorithm: isFixed ? 'fixed-window' : kind === 'own-counter' ? 'sliding-counter' : kind,
    ...(isFixed && { anchor: kind }),
    burst: level,
    perSecond: (level / windowMs) * 1_000,
    windowMs,
    status,
    because: reason(kind, [level, level], windowMs),
    repeats
  }
}

/**
 * A bucket whose size is what all trials allow: where that is more than one number, none is said.
 * All of them rest on one spacing, which was measured in the long run.
 */
function bucketOf(
  findings: readonly RateFinding[],
  status: number | undefined,
  repeats: string
): RateLimit {
  const spacings = findings.map(({ window, level }) => scaled(window, 1 / level))
  const shared = common(spacings)
  const everyMs = middle(shared.from <= shared.to ? shared : spacings.at(-1)!)
  const [least, most] = sizesOf(findings.map(({ levels }) => levels))
  const size = (least + most) / 2
  return {
    algorithm: 'token-bucket',
    ...(least === most && { burst: least }),
    perSecond: 1_000 / everyMs,
    windowMs: size * everyMs,
    status,
    because: reason('token-bucket', [least, most], size * everyMs),
    repeats
  }
}

/**
 * The least and the most that a bucket may hold of which each trial allows so much: a whole number,
 * unless tokens come by a clock of their own. The next one comes sooner then, by up to a spacing.
 */
function sizesOf(levels: readonly Span[]): [least: number, most: number] {
  const all = common(levels)
  const [least, most] = whole(all)
  if (least <= most) {
    const isOpen = levels.length >= many && chanceOf(levels, most) > mostChance
    return [isOpen ? Math.max(1, least - 1) : least, most]
  }
  const sooner = [all.from, all.to].map((size) => Math.max(1, Math.floor(size)))
  return [Math.min(...sooner), Math.max(...sooner)]
}

/**
 * Whether more trials would tell nothing new: of a bucket they may how many it holds, where those
 * so far leave more than one number, or may have looked like a whole one by chance.
 */
export function isSettled(findings: readonly RateFinding[]): boolean {
  const buckets = findings.filter(({ kind }) => kind === 'token-bucket')
  if (buckets.length <= findings.length / 2) return true
  const levels = buckets.map(({ levels }) => levels)
  const [least, most] = sizesOf(levels)
  return levels.length >= many || (least === most && chanceOf(levels, most) <= mostChance)
}

/** Of how many counts one may be more, as where a window ended while it was asked. */
const manyCounts = 7

/** Whether a limiter did not let as many through each time: it draws them, or is none of these. */
function isUneven(counts: readonly number[]): boolean {
  const level = middleOf(counts)
  const more = counts.filter((count) => count > level).length
  return Math.min(...counts) < level || more > (counts.length < manyCounts ? 0 : 1)
}

/** How likely it is that each looked like at least so many, though it is one less. */
function chanceOf(levels: readonly Span[], size: number): number {
  return levels.reduce((all, { from }) => all * Math.min(1, Math.max(0, size - from)), 1)
}

/** Of a longer window there may be time for one trial only, in ms. */
const longMs = 20_000

/**
 * Whether so many trials that agree are too few. A counter of one frees a request every other
 * window, and a counter whose boundary happens to come soon looks like a bucket: trials at other
 * times tell, so that there has to be more than one, and none without a finding.
 */
function isDoubtful(
  kind: Kind,
  level: number,
  findings: readonly RateFinding[],
  trials: number
): boolean {
  const agreeing = findings.length
  // A log that counts refusals looks like a counter to most trials, but not to all; and so does a
  // window of its own, but that it seems to be longer each time.
  const isLong = findings.every(({ window }) => window.from > longMs)
  const isHasty = !(isLong && level >= 20) && findings.filter(({ isSharp }) => isSharp).length < 2
  if (isCounter(kind)) return isHasty || agreeing < trials
  const isAlike = kind === 'token-bucket' ? level > 1 : kind === 'clock' && level === 1
  const isOpen = level > 1 && level < 20 && !isSettled(findings)
  if (isAlike) return agreeing < (isOpen ? 3 : 2) || trials - agreeing > agreeing / 8
  return trials - agreeing > agreeing / 3
}

const names: Record<Kind, string> = {
  clock: 'a window of the clock',
  'first-request': 'a window from the first request',
  'sliding-log': 'a sliding log',
  'sliding-counter': 'a sliding counter',
  'own-counter': 'a sliding counter from the first request',
  'token-bucket': 'a token bucket'
}

/** What a limiter of such a kind does, in words. */
export function reason(kind: Kind, [least, most]: [number, number], windowMs: number): string {
  const between = least < most ? ` to ${most.toLocaleString('en')}` : ''
  const many = `${least.toLocaleString('en')}${between} at once`
  const spaced = `one every ${inMs((2 * windowMs) / (least + most))}`
  return {
    clock: `after ${many}, all again at every multiple of ${inMs(windowMs)}, whenever asked`,
    'first-request': `after ${many}, all again ${inMs(windowMs)} after the first, together`,
    'sliding-log': `after ${many}, each again ${inMs(windowMs)} after it was taken`,
    'sliding-counter': `after ${many}, none up to a multiple of ${inMs(windowMs)}, then ${spaced}`,
    'own-counter': `after ${many}, none up to ${inMs(windowMs)} after the first, then ${spaced}`,
    'token-bucket': most === 1 ? spaced : `after ${many}, ${spaced} from then on`
  }[kind]
}

function narrowest(findings: readonly RateFinding[]): Span {
  const width = ({ window: { from, to } }: RateFinding) => to - from
  return findings.toSorted((one, other) => width(one) - width(other))[0]!.window
}
