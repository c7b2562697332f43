import type { Unfound } from '../../limit/survey.ts'
import type { WaitName } from '../../limit/time/course.ts'
import type { UseFound, UseName } from '../../limit/time/survey-use.ts'
import type { WaitFound } from '../../limit/time/survey-waits.ts'
import type { WaitReading } from '../../limit/time/wait-reading.ts'
import { grouped } from '../../report/quantity.ts'

/** After how long a target ended what kept it waiting in one way; what was not found is null. */
type WaitLine = {
  variant: string
  kind: WaitReading['kind']
  ms: number | null
  /** By how much later it may end, in ms. */
  lateMs: number | null
  /** By how much later it may be set to end, in ms, where that was not found more exactly. */
  aboveMs?: number
  since: string[]
  status: number | null
  how: string | null
  because: string
}

/** A limit on times, as `--json` tells it. */
export type WaitEntry = { limit: WaitName | 'socket-idle'; ways: WaitLine[]; because: string }

/** A limit on how much a connection is used, likewise. */
export type UseEntry = {
  limit: UseName
  use: UseFound['kind']
  /** Requests, or ms. */
  value: number
  how: string | null
  because: string
}

/** What `--json` tells of one limit on times or connections. */
export type TimeEntry =
  | WaitEntry
  | UseEntry
  | (Unfound & { limit: WaitName | UseName | 'socket-idle' })

/** Milliseconds as seconds, as exactly as they are known. */
function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1_000).toFixed(2)} s` : `${(ms / 1_000).toFixed(1)} s`
}

/** How something ended, in words: `408, closed`. */
function endText({ status, how }: { status: number; how: string }): string {
  return status === 0 ? how : `${status}, ${how}`
}

function waitText(reading: WaitReading): string {
  if (reading.kind === 'unclear') return `unclear: ${reading.because}`
  if (reading.kind === 'unlimited') return `no end up to ${seconds(reading.ms)}`
  const { ms, lateMs, since, isWithByte } = reading
  const ending = isWithByte ? ', by the next byte' : ''
  const late = lateMs === 0 ? ending : `, or up to ${seconds(lateMs)} later`
  return `${endText(reading)} after ${seconds(ms)}${late}, since the ${since.join(' or the ')}`
}

/** What was found out about one way to keep a target waiting, and the others. */
export function waitEntry(limit: WaitEntry['limit'], found: WaitFound | Unfound): TimeEntry {
  if ('because' in found) return { limit, ...found }
  const ways = found.lines.map(({ variant, reading }): WaitLine => {
    const none = { ms: null, lateMs: null, since: [], status: null, how: null }
    const because = waitText(reading)
    if (reading.kind !== 'found') {
      const ms = reading.kind === 'unlimited' ? Math.round(reading.ms) : null
      return { variant, ...none, kind: reading.kind, ms, because }
    }
    const { kind, ms, lateMs, aboveMs, since, status, how } = reading
    const above = aboveMs === undefined ? {} : { aboveMs }
    return { variant, kind, ms, lateMs, ...above, since, status: status || null, how, because }
  })
  return { limit, ways, because: timeLines({ limit, ways, because: '' }).join('; ') }
}

/** What was found out about how much a connection is used. */
export function useEntry(limit: UseName, found: UseFound | Unfound): TimeEntry {
  if ('because' in found) return { limit, ...found }
  const { kind, value } = found
  const amount = (value: number) => {
    return limit === 'connection-age' ? seconds(value) : `${grouped(value)} requests`
  }
  if (found.kind === 'unlimited') {
    const because = `no end up to ${amount(value)}`
    return { limit, use: kind, value: Math.round(value), how: null, because }
  }
  const below = found.below === 0 ? '' : `, or up to ${seconds(found.below)} sooner`
  const how = found.status === undefined ? found.how : `${found.how} (${found.status})`
  const because = `${how} after ${amount(value)}${below}`
  return { limit, use: kind, value, how: found.how, because }
}

/** A limit on times in lines; what all ways have in common is said once. */
export function timeLines(entry: TimeEntry): string[] {
  if ('outcome' in entry) return [`not to be found: ${entry.because}`]
  if ('use' in entry) return [entry.because]
  const alike = Map.groupBy(entry.ways, ({ because }) => because)
  return [...alike].map(([because, ways]) => {
    return alike.size === 1 && ways.length > 1
      ? because
      : `${ways.map(({ variant }) => variant).join(', ')}: ${because}`
  })
}

/** Whether it was clear after how long it ends, that it does not, or that it cannot be asked. */
export function isTimeClear(entry: TimeEntry): boolean {
  if ('outcome' in entry) return entry.outcome === 'inapplicable'
  return 'use' in entry || entry.ways.every(({ kind }) => kind !== 'unclear')
}
