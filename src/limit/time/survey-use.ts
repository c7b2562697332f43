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
      how: NonNullable<ConnectionUse['end']>['how']
    }
  | { kind: 'unlimited'; value: number }

/** Why no age was found; after how long a silence all connections ended, where that is why. */
type Unused = Unfound & { idleMs?: number }

/** How often it is asked how many requests a connection takes. */
const repeats = 3

/**
 * How far apart requests are in ms while connections grow old: two paces, so that an end by number
 * comes at two ages; and how many connections are asked at each, a part of that apart.
 */
const paceMs = 1_000
const paces = [1, 0.7]
const perPace = 20

/** How many requests in a row one connection takes. */
export async function surveyRequests(
  options: Omit<WaitOptions, 'upToMs'>,
  most: number
): Promise<UseFound | Unfound> {
  const made = []
  for (let turn = 0; turn < repeats && !options.stopped(); turn++) {
    made.push(await useConnection(options, { most }))
  }
  const uses = made.filter((use) => typeof use !== 'string')
  if (uses.length < repeats) {
    return { outcome: 'inconclusive', because: String(made.at(-1) ?? 'stopped on the way') }
  }
  const counts = [...new Set(uses.map(({ answered }) => answered))]
  const ends = uses.flatMap(({ end }) => end ?? [])
  if (ends.length === 0) return { kind: 'unlimited', value: Math.min(...counts) }
  if (counts.length > 1 || ends.length < uses.length) {
    const because = `connections ended after ${counts.join(', ')} requests`
    return { outcome: 'inconclusive', because }
  }
  return { kind: 'found', value: counts[0]!, below: 0, how: ends[0]!.how }
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
