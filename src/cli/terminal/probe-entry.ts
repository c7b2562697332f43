import { isSuccess } from '../../limit/baseline.ts'
import type { RequestCounts } from '../../limit/count.ts'
import type { DimensionName } from '../../limit/dimension.ts'
import type { Layer } from '../../limit/layers/layer.ts'
import type { RateLimit } from '../../limit/rate-limit.ts'
import { type CountedReading, isContradicted } from '../../limit/reading.ts'
import type { DimensionFound, Unfound } from '../../limit/survey.ts'
import type { VariantBoundary } from '../../limit/variants.ts'
import type { RaceEntry, ReplicasEntry } from './layer-entry.ts'
import { isLineClear, type LineEntry } from './line-entry.ts'
import { readingText } from './reading-text.ts'
import { isTimeClear, type TimeEntry } from './time-entry.ts'

/** Where a line was found in one variant of a question; what was not found is null. */
export type ProbeLine = {
  kind: VariantBoundary['boundary']['kind']
  accepted: number | null
  rejected: number | null
  /** Status of the refusal at this line. */
  status: number | null
  /** What the target seems to count, and up to how much. */
  reading: string | null
  because: string
}

/** A limit on sizes or on how many at once, as `--json` tells it: as its first variant shows it. */
export type SizeEntry = ProbeLine & {
  limit: DimensionName
  unit: string
  /** Status of what counts as accepted: a target may refuse these requests whatever their size. */
  usual: number
  /** Confirmations of the side that was confirmed less often, of as many as were wanted. */
  repeats: string
  variants: (ProbeLine & { variant: string })[]
  /** Who refuses, where the refusal itself tells. */
  refusedBy?: string
  /** Which layer draws the line, where a front and its origin were asked. */
  layer?: Layer
}

/** How the rate of requests is limited, likewise. */
export type RateEntry = {
  limit: 'rate'
  algorithm: RateLimit['algorithm']
  burst: number | null
  perSecond: number | null
  windowMs: number | null
  /** Between which two ms it is, where that is all that is known of it. */
  windowIn?: RateLimit['windowIn']
  /** How many a leaky queue lets wait before it refuses. */
  queue: number | null
  /** By how many ms an answer is held up. */
  delayMs: number | null
  /** For how many ms nothing is accepted after a refusal. */
  banMs: number | null
  /** Whether what it refuses counts as what it accepts does. */
  countsRefused: boolean
  /** What is known of a slower limit behind this one. */
  behind: RateLimit['behind'] | null
  status: number | null
  repeats: string
  because: string
  /** Which layer limits the rate, where a front and its origin were asked. */
  layer?: Layer
}

/** What `--json` tells of one limit. */
export type Entry =
  | SizeEntry
  | RateEntry
  | TimeEntry
  | RaceEntry
  | ReplicasEntry
  | LineEntry
  | (Unfound & { limit: DimensionName })

/** What was found in one dimension. */
export function sizeEntry(
  limit: DimensionName,
  { boundaries, usual, status, readings }: DimensionFound,
  { unit, repeats }: { unit: string; repeats: number }
): SizeEntry {
  const variants = boundaries.map(({ variant, boundary, status }) => {
    const { kind, accepted = null, rejected = null, because } = boundary
    const found = readings.find((one) => one.variant === undefined || one.variant === variant)
    const reading = found ? readingText(found.reading) : null
    return { variant, kind, accepted, rejected, status: status || null, reading, because }
  })
  const { variant: _, ...line } = variants[0]!
  const { accepted, rejected } = boundaries[0]!.boundary.repeats
  const confirmed = `${Math.min(accepted, rejected)}/${repeats}`
  return { limit, ...line, status: status || null, unit, usual, repeats: confirmed, variants }
}

/**
 * Takes back what lines were read as, where a request was taken since that lies beyond: the lines
 * are where they are, but they count something else. Returns what was taken back, in words.
 */
export function withdrawn(
  entries: readonly Entry[],
  { known, taken }: { known: readonly CountedReading[]; taken: readonly RequestCounts[] }
): string[] {
  const wrong = new Set(known.filter((one) => isContradicted(one, taken)).map(readingText))
  return entries.flatMap((entry) => {
    if (!('variants' in entry)) return []
    const lines = [entry, ...entry.variants].filter(({ reading }) => wrong.has(reading ?? ''))
    const texts = new Set(lines.map(({ reading }) => reading))
    for (const line of lines) line.reading = null
    return [...texts].map((text) => `${entry.limit}: not ${text}, of which more was taken`)
  })
}

/** What was found out about the rate. */
export function rateEntry(found: RateLimit): RateEntry {
  const { algorithm, burst = null, perSecond = null, windowMs = null, status = null } = found
  const { queue = null, delayMs = null, banMs = null, repeats, because } = found
  const { countsRefused = false, behind = null, windowIn } = found
  const window = { windowMs, ...(windowIn && { windowIn }) }
  const rate = { burst, perSecond, ...window, queue, delayMs, banMs, countsRefused, behind }
  return { limit: 'rate', algorithm, ...rate, status, repeats, because }
}

/**
 * Whether it was clear what the limit is, that there is none, or that it cannot be asked. That
 * nothing else came than what is no success anyway shows no absence of a limit.
 */
export function isClear(entry: Entry): boolean {
  if ('algorithm' in entry) return entry.algorithm !== 'unclear'
  if ('verdict' in entry) return entry.verdict !== 'unclear'
  if ('counted' in entry) return entry.counted !== 'unclear'
  if ('ways' in entry || 'use' in entry) return isTimeClear(entry)
  if ('lines' in entry || 'opensAfter' in entry) return isLineClear(entry)
  if ('outcome' in entry) return entry.outcome === 'inapplicable'
  const { usual, variants } = entry
  return variants.every(({ kind }) => {
    return kind === 'found' || (kind === 'unlimited' && isSuccess(usual))
  })
}

/** Whether it is no limit but a fault. */
export function isFault(entry: Entry): boolean {
  return 'verdict' in entry && entry.verdict === 'reproduced'
}

/** Whether it was not clear because the target spoke of how much it was asked lately. */
export function isHurried(entry: Entry): boolean {
  if (!('variants' in entry)) return false
  return entry.variants.some(({ kind, because }) => {
    return kind === 'unclear' && /HTTP (429|503)/.test(because)
  })
}
