import { clock } from '../../clock.ts'
import { type Baseline, findBaseline } from '../../limit/baseline.ts'
import { type DimensionName, dimensionsOf } from '../../limit/dimension.ts'
import { type Layer, layerOfRate, layerOfSize } from '../../limit/layers/layer.ts'
import { refuserOf } from '../../limit/layers/signature.ts'
import type { RateLimit } from '../../limit/rate-limit.ts'
import { probeVariedRate } from '../../limit/rate-varied.ts'
import { type DimensionFound, surveyDimension, type Unfound } from '../../limit/survey.ts'
import { grouped } from '../../report/quantity.ts'
import { type Entry, rateEntry, sizeEntry } from '../terminal/probe-entry.ts'
import { type Looking, ordinarily, type ProbedService, type SizesTold } from './probe-looking.ts'

/** How often each side of a boundary is asked. */
const repeats = 3

/** Requests in flight at once while it is found out how the rate is limited. */
const parallel = 16

/** Where a size has its line, and which layer draws it where more than one is known. */
export async function lineOf(limit: DimensionName, looking: Looking): Promise<Entry> {
  const { boundaries, told, toldOfOrigin, origin, options } = looking
  const { unit } = dimensionsOf(looking.ordinary)[limit]
  const found = await surveyed(limit, looking, { who: looking, told })
  if ('because' in found) return { limit, ...found }
  boundaries.set(limit, found.boundaries)
  const entry = sizeEntry(limit, found, { unit, repeats })
  const refusedBy = options.via === undefined ? undefined : await refuser(limit, looking, found)
  const layer = origin && (await layerOf(limit, looking, { found, origin, told: toldOfOrigin }))
  return { ...entry, ...(refusedBy && { refusedBy }), ...(layer && { layer }) }
}

async function surveyed(
  limit: DimensionName,
  { options, given, view }: Looking,
  { who, told, as = '' }: { who: ProbedService; told: SizesTold; as?: string }
): Promise<DimensionFound | Unfound> {
  const { paced, ordinary } = who
  const { unit } = dimensionsOf(ordinary)[limit]
  const found = await surveyDimension(limit, {
    ...{ client: paced, ordinary, repeats, clock, ...told },
    ceiling: options.upTo[limit],
    stopped: given.stop.requested,
    onAnswer(value, variant, { kind }) {
      const way = variant === '' ? '' : ` (${variant})`
      view.asks(`${as}${limit}${way}: ${grouped(value)} ${unit} → ${kind}`)
    }
  })
  if ('because' in found) return found
  told.known.push(...found.readings.map(({ reading }) => reading))
  told.taken.push(...found.taken)
  return found
}

/** The answer to what lies just past a line, asked once more; undefined where there is none. */
async function refusalOf(limit: DimensionName, who: ProbedService, { boundaries }: DimensionFound) {
  const { variant, boundary } = boundaries[0]!
  const { asks, question } = dimensionsOf(who.ordinary)[limit]
  if (boundary.kind !== 'found' || asks !== 'one') return
  return who.paced.send(question(boundary.rejected!, variant))
}

/** Who refuses, as far as the refusal alone tells. */
async function refuser(limit: DimensionName, looking: Looking, found: DimensionFound) {
  const refusal = await refusalOf(limit, looking, found)
  return refusal && refuserOf(refusal, await ordinarily(looking))
}

async function layerOf(
  limit: DimensionName,
  looking: Looking,
  { found, origin, told }: { found: DimensionFound; origin: ProbedService; told: SizesTold }
): Promise<Layer | undefined> {
  const own = await surveyed(limit, looking, { who: origin, told, as: 'the origin: ' })
  if ('because' in own) return { by: 'unclear', because: `the origin: ${own.because}` }
  const [one, other] = [found, own].map(({ boundaries: [first] }) => first!.boundary)
  const front = { ...one!, refusal: await refusalOf(limit, looking, found) }
  return layerOfSize(front, { ...other!, refusal: await refusalOf(limit, origin, own) })
}

/** How the rate is limited, and by which layer where more than one is known. */
export async function rateOf(looking: Looking, baseline: Baseline): Promise<RateFound> {
  const { origin } = looking
  const found = await rateAt(looking, looking, baseline)
  const entry = rateEntry(found)
  if (origin === undefined) return { entry, found }
  const own = await findBaseline(() => ordinarily(origin), clock)
  if (typeof own === 'string') {
    return { entry: { ...entry, layer: { by: 'unclear', because: `the origin: ${own}` } }, found }
  }
  const layer = layerOfRate(found, await rateAt(looking, origin, own))
  return { entry: { ...entry, ...(layer && { layer }) }, found }
}

/** What was found out about a rate, as it is told and as it is. */
export type RateFound = { entry: Entry; found: RateLimit }

async function rateAt(
  looking: Looking,
  who: ProbedService,
  baseline: Baseline
): Promise<RateLimit> {
  const { options, given, view } = looking
  return probeVariedRate({
    ask: (isApart) => (isApart ? who.client.send(who.ordinary) : ordinarily(who)),
    ...{ baseline, clock, parallel, stopped: given.stop.requested },
    onProgress(text) {
      view.note(text)
      view.asks(`rate: ${text}`)
    },
    upTo: options.upTo.rate,
    mostRequests: options.requests,
    mostMs: given.deadline.leftMs()
  })
}
