import type { Unfound } from '../survey.ts'
import { type ConnectionUse, useConnection } from './connection-use.ts'
import type { WaitOptions } from './survey-waits.ts'

/** Limits on what one connection may be used for. */
export const useNames = ['requests-per-connection', 'connection-age'] as const

/** One of these limits. */
export type UseName = (typeof useNames)[number]

/** How much a connection may be used: so many requests, or so many ms. */
export type UseFound =
  | {
      kind: 'found'
      value: number
      /** How much less it may be. */
      below: number
      how: NonNullable<ConnectionUse['end']>['how'] | 'refused'
      /** Status of what refuses, where the connection stays. */
      status?: number
    }
  | { kind: 'unlimited'; value: number }

/** Why no age was found; after how long a silence all connections ended, where that is why. */
type Unused = Unfound & { idleMs?: number }

/**
 * How far apart requests are in ms while connections grow old: two paces, so that an end by number
 * comes at two ages; and how many connections are asked at each, a part of that apart.
 */
const paceMs = 1_000
const paces = [1, 0.7]
const perPace = 20

/** How many more connections have to take as many as the first, side by side. */
const others = 2

/** After how many answers it is said how long all take, where that is longer than this, in ms. */
const pacedBy = { answers: 25, longMs: 15_000 }

/** How long it may take to ask one connection, and who is told early that it takes long. */
export type RequestsAsked = { leftMs?: () => number; onProgress?: (text: string) => void }

/**
 * How many requests in a row one connection takes: the first by itself, two more side by side, so
 * that neither who counts those of all connections nor who counts by time ends each after as many.
 */
export async function surveyRequests(
  options: Omit<WaitOptions, 'upToMs'>,
  most: number,
  { leftMs, onProgress }: RequestsAsked = {}
): Promise<UseFound | Unfound> {
  const { clock, stopped } = options
  const until = clock.now() + (leftMs?.() ?? Number.POSITIVE_INFINITY)
  const first = await useConnection(options, {
    ...{ most, until },
    onAnswer(answered, ageMs) {
      const allMs = (ageMs * most) / answered
      if (answered !== pacedBy.answers || allMs < pacedBy.longMs) return
      const about = Math.round(allMs / 1_000)
      const many = most.toLocaleString('en')
      onProgress?.(`requests-per-connection: ${many} on one connection take about ${about} s`)
    }
  })
  if (typeof first === 'string') return unclear(first)
  if (first.end && first.answered === 0) return unclear('closed before any answer')
  const isWhole = first.end !== undefined || first.answered === most
  if (!isWhole && first.refusal === undefined) return unclear(cut(first, most, stopped()))
  const made = await Promise.all(
    Array.from({ length: others }, () => useConnection(options, { most, until }))
  )
  const uses = [first, ...made.filter((use) => typeof use !== 'string')]
  if (uses.length <= others) return unclear(String(made.find((use) => typeof use === 'string')))
  return endOf(uses) ?? refusalOf(uses) ?? { kind: 'unlimited', value: first.answered }
}

/** Where all connections ended; undefined where none did. */
function endOf(uses: readonly ConnectionUse[]): UseFound | Unfound | undefined {
  const ended = uses.filter(({ end }) => end !== undefined)
  if (ended.length === 0) return
  const counts = [...new Set(uses.map(({ answered }) => answered))]
  if (counts.length === 1 && ended.length === uses.length) {
    return { kind: 'found', value: counts[0]!, below: 0, how: ended[0]!.end!.how }
  }
  const all = ended.map(({ answered }) => answered).join(', ')
  const stayed = uses.length - ended.length
  const rest = stayed > 0 ? `, and ${stayed} did not end` : ''
  return unclear(`connections ended after ${all} requests${rest}: it is not their number alone`)
}

/** Where all connections stayed and refused from the same number on. */
function refusalOf(uses: readonly ConnectionUse[]): UseFound | undefined {
  const [one, ...rest] = uses.map(({ refusal }) => refusal)
  const isSame = one && rest.every((other) => other?.after === one.after)
  if (!isSame) return
  return { kind: 'found', value: one.after, below: 0, how: 'refused', status: one.status }
}

/** Why one connection was not asked all of it, in words. */
function cut({ answered, sparedMs }: ConnectionUse, most: number, isStopped: boolean): string {
  if (isStopped || answered === 0) return `stopped after ${answered} of ${most} requests`
  const each = Math.round(sparedMs / answered)
  const all = Math.round((sparedMs * most) / answered / 1_000)
  const [asked, many] = [answered, most].map((count) => count.toLocaleString('en'))
  return (
    `no end in ${asked} requests, which take ${each} ms each: ${many} take about ${all} s, ` +
    'more than there is time for (--time, or --up-to requests-per-connection=N)'
  )
}

function unclear(because: string): Unfound {
  return { outcome: 'inconclusive', because }
}

/** How old a connection gets that is in use. */
export async function surveyAge(options: WaitOptions): Promise<UseFound | Unfound> {
  const found = await surveyAgeAt(paceMs, options)
  if (!('idleMs' in found) || found.idleMs === undefined) return found
  // Whoever ends what was silent for less than a pace is asked more often.
  const again = await surveyAgeAt(found.idleMs / 2, options)
  return 'idleMs' in again ? { outcome: 'inconclusive', because: again.because } : again
}

async function surveyAgeAt(paceMs: number, options: WaitOptions): Promise<UseFound | Unused> {
  const { upToMs } = options
  const schedules = paces.flatMap((factor) => {
    return Array.from({ length: perPace }, (_, phase) => {
      const pace = factor * paceMs
      return [...agesFrom((phase * pace) / perPace, { paceMs: pace, upToMs })]
    })
  })
  const made = await Promise.all(
    schedules.map((agesMs) => useConnection(options, { most: agesMs.length, agesMs }))
  )
  if (options.stopped()) return { outcome: 'inconclusive', because: 'stopped on the way' }
  const uses = made.filter((use) => typeof use !== 'string')
  if (uses.length === 0) return { outcome: 'inconclusive', because: String(made[0]) }
  const ended = uses.filter(({ end }) => end !== undefined)
  if (ended.length > 0) return ageOf(uses, ended)
  return { kind: 'unlimited', value: Math.min(...uses.map(({ sparedMs }) => sparedMs)) }
}

/** Ages at which to ask: at once, then every `paceMs` from `phaseMs` on. */
function* agesFrom(phaseMs: number, { paceMs, upToMs }: { paceMs: number; upToMs: number }) {
  yield 0
  for (let ms = phaseMs + paceMs / 2; ms < upToMs; ms += paceMs) yield ms
}

/** By how much a busy machine may be late, in ms. */
const lateMs = 150

/** The age at which all of them end, if it is an age that ends them. */
function ageOf(uses: readonly ConnectionUse[], ended: readonly ConnectionUse[]): UseFound | Unused {
  // At two paces the same age is no number, and the same number no age.
  const counts = new Set(ended.map(({ answered }) => answered))
  if (counts.size === 1) {
    const because = `each connection ended after ${[...counts]} requests, whatever its age`
    return { outcome: 'inconclusive', because }
  }
  const ages = ended.map(({ end }) => end!.ageMs)
  const value = Math.min(...ages)
  const spared = Math.max(...uses.map(({ sparedMs }) => sparedMs))
  if (spared <= value + lateMs) {
    const below = Math.max(0, Math.round(value - spared))
    return { kind: 'found', value: Math.round(value), below, how: ended[0]!.end!.how }
  }
  const idles = ended.map(({ end }) => end!.idleMs)
  const [least, most] = [value, Math.max(...ages)].map(Math.round)
  const because = `connections ended at ages of ${least} to ${most} ms`
  const isByIdleness = Math.max(...idles) - Math.min(...idles) < lateMs && Math.min(...idles) > 0
  const idleMs = Math.min(...idles)
  return { outcome: 'inconclusive', because, ...(isByIdleness && { idleMs }) }
}
