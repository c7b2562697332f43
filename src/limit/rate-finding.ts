import type { RateLimit } from './rate-limit.ts'
import type { Pace } from './rate-pace.ts'
import { meets, middle, minus, type Span, scaled } from './rate-span.ts'
import { isLong, type Kind, kindOf, type LimiterTrial } from './rate-trial.ts'

/** What one trial found out, and how well it measured the window, in ms. */
export type RateFinding = { kind: Kind; level: number; window: Span; isSharp: boolean }

/** What a trial found; undefined where no limiter, or more than one, would do what it saw. */
export function found(seen: LimiterTrial, known: Pace): RateFinding | undefined {
  const kind = kindOf(seen, known)
  if (!kind) return
  const { release, start, plan, accepted } = seen
  const level = levelOf(seen, known)
  // A bucket's size shows when it is emptied at once, a counter's window from a sharp boundary on.
  const isSharp = kind === 'token-bucket' ? isWhole(seen) : !isCounter(kind) || !!known.isMeasured
  if (kind === 'clock' || kind === 'sliding-counter') {
    return {
      kind,
      level,
      isSharp,
      window: scaled(minus(release, known.reference), 1 / plan.windows)
    }
  }
  const own = minus(release, start)
  if (kind !== 'token-bucket') return { kind, level, isSharp, window: own }
  const filled = scaled(known.spacing, level)
  const drops = accepted + 1 - level
  const direct = drops > 0 ? scaled(own, level / drops) : filled
  const isSharper = width(direct) < width(filled) && meets(direct, filled)
  return { kind, level, isSharp, window: isSharper ? direct : filled }
}

/** How many the target accepts at once, by a trial: without those that came back meanwhile. */
export function levelOf(seen: LimiterTrial, known: Pace): number {
  const { isGradual, spacing, level } = known
  if (!isGradual || isLong(seen, known)) return seen.accepted
  if (isWhole(seen)) return Math.ceil(seen.accepted - seen.tookMs / middle(spacing))
  // In a quarter of a window more came back than can be told from one less.
  const ms = middle(seen.refused) - middle(seen.start)
  const least = seen.accepted - ms / middle(spacing)
  return Math.abs(least + 0.5 - level) < 1 ? level : Math.ceil(least)
}

/** Whether little comes back at once, and late. */
export function isCounter(kind: Kind): boolean {
  return kind === 'sliding-counter' || kind === 'own-counter'
}

function isWhole({ plan }: LimiterTrial): boolean {
  return plan.part === Number.POSITIVE_INFINITY
}

/** What the findings amount to, and the trials after the first of them that found nothing. */
export function concluded(
  findings: readonly RateFinding[],
  misses: number,
  status?: number
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
  if (isDoubtful(kind, level, agreeing.length, trials)) {
    const because = `${count(kind)} of ${trials} trials look like ${names[kind]}`
    return { algorithm: 'unclear', status, because, repeats }
  }
  const windowMs = middle(common(sharp.map(({ window }) => window)))
  const isFixed = kind === 'clock' || kind === 'first-request'
  return {
    algorithm: isFixed ? 'fixed-window' : kind === 'own-counter' ? 'sliding-counter' : kind,
    ...(isFixed && { anchor: kind }),
    burst: level,
    perSecond: (level / windowMs) * 1_000,
    windowMs,
    status,
    because: reason(kind, level, windowMs),
    repeats
  }
}

/**
 * Whether so many trials that agree are too few. A counter of one frees a request every other
 * window, and a counter whose boundary happens to come soon looks like a bucket: trials at other
 * times tell, so that there has to be more than one, and none without a finding.
 */
function isDoubtful(kind: Kind, level: number, agreeing: number, trials: number): boolean {
  // A log that counts refusals looks like a counter to most trials, but not to all.
  const isHasty = level < 20 && agreeing < 2
  if (isCounter(kind)) return isHasty || agreeing < trials
  const isAlike = kind === 'token-bucket' ? level > 1 : kind === 'clock' && level === 1
  if (isAlike) return agreeing < 2 || agreeing < trials
  return trials - agreeing > agreeing / 3
}

function middleOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
}

const names: Record<Kind, string> = {
  clock: 'a window of the clock',
  'first-request': 'a window from the first request',
  'sliding-log': 'a sliding log',
  'sliding-counter': 'a sliding counter',
  'own-counter': 'a sliding counter from the first request',
  'token-bucket': 'a token bucket'
}

function reason(kind: Kind, level: number, windowMs: number): string {
  const many = `${level.toLocaleString('en')} at once`
  const spaced = `one every ${inMs(windowMs / level)}`
  return {
    clock: `after ${many}, all again at every multiple of ${inMs(windowMs)}, whenever asked`,
    'first-request': `after ${many}, all again ${inMs(windowMs)} after the first, together`,
    'sliding-log': `after ${many}, each again ${inMs(windowMs)} after it was taken`,
    'sliding-counter': `after ${many}, none up to a multiple of ${inMs(windowMs)}, then ${spaced}`,
    'own-counter': `after ${many}, none up to ${inMs(windowMs)} after the first, then ${spaced}`,
    'token-bucket': level === 1 ? spaced : `after ${many}, ${spaced} from then on`
  }[kind]
}

/** Milliseconds in words, to three digits. */
export function inMs(ms: number): string {
  return `${Number(ms.toPrecision(3)).toLocaleString('en')} ms`
}

/** What all spans have in common, as each holds the truth; the narrowest where that is nothing. */
function common(spans: Span[]): Span {
  const from = Math.max(...spans.map((span) => span.from))
  const to = Math.min(...spans.map((span) => span.to))
  return from <= to ? { from, to } : spans.sort(byWidth)[0]!
}

function byWidth(one: Span, other: Span): number {
  return width(one) - width(other)
}

function width({ from, to }: Span): number {
  return to - from
}
