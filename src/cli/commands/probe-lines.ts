import { clock } from '../../clock.ts'
import { type Baseline, findBaseline } from '../../limit/baseline.ts'
import { type DimensionName, dimensionsOf } from '../../limit/dimension.ts'
import { type Layer, layerOfRate, layerOfSize } from '../../limit/layers/layer.ts'
import { refuserOf } from '../../limit/layers/signature.ts'
import { soonerThanUsual } from '../../limit/layers/timing.ts'
import type { RateLimit } from '../../limit/rate-limit.ts'
import { probeVariedRate } from '../../limit/rate-varied.ts'
import { type DimensionFound, surveyDimension, type Unfound } from '../../limit/survey.ts'
import { grouped } from '../../report/quantity.ts'
import { type Entry, rateEntry, sizeEntry } from '../terminal/probe-entry.ts'
import { createEarlyWord } from './early-word.ts'
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

/** Whether it is asked about by many at once, each of which may have to wait. */
const isCrowded = (limit: string) => limit === 'connections' || limit === 'concurrency'

/** Whether what is counted shows only beside where the line is of a URL, which varies more. */
const isReadByUrl = (limit: string) => limit === 'headers' || limit === 'header-count'

async function surveyed(
  limit: DimensionName,
  looking: Looking,
  { who, told, as = '' }: { who: ProbedService; told: SizesTold; as?: string }
): Promise<DimensionFound | Unfound> {
  const { options, given, view } = looking
  const { paced, ordinary } = who
  // Asked alone it is read as it would be among all, for which nothing was taken before.
  if (isReadByUrl(limit) && told.taken.length === 0) {
    await surveyed('url', looking, { who, told, as: `${as}${limit}: ` })
  }
  const { unit, asks, ceiling } = dimensionsOf(ordinary)[limit]
  const early = createEarlyWord({
    ...{ limit, clock, leftMs: given.deadline.leftMs, note: view.note },
    ceiling: options.upTo[limit] ?? ceiling,
    limits: options.limits.slice(options.limits.indexOf(limit)).filter(isCrowded).length
  })
  const found = await surveyDimension(limit, {
    ...{ client: paced, ordinary, repeats, clock, ...told },
    ceiling: options.upTo[limit],
    stopped: given.stop.requested,
    onAnswer(value, variant, { kind }) {
      const way = variant === '' ? '' : ` (${variant})`
      view.asks(`${as}${limit}${way}: ${grouped(value)} ${unit} → ${kind}`)
      if (asks === 'crowd') early(value)
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

/** How often refusals and usual answers are asked for in turn where only their time may tell. */
const timed = 5

/** Who refuses, as far as the refusal alone tells, or how soon it comes. */
async function refuser(limit: DimensionName, looking: Looking, found: DimensionFound) {
  const refusal = await refusalOf(limit, looking, found)
  if (refusal === undefined) return
  const told = refuserOf(refusal, await ordinarily(looking))
  if (told !== undefined) return told
  const times = { refused: [] as number[], usual: [] as number[] }
  for (let nth = 0; nth < timed && !looking.given.stop.requested(); nth++) {
    times.refused.push((await refusalOf(limit, looking, found))!.ms)
    times.usual.push((await taken(limit, looking, found)).ms)
  }
  return soonerThanUsual(times)
}

/** The answer to the least of a size, asked in the same way. */
function taken(limit: DimensionName, who: ProbedService, { boundaries }: DimensionFound) {
  const { smallest, question } = dimensionsOf(who.ordinary)[limit]
  return who.paced.send(question(smallest, boundaries[0]!.variant))
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

/** How the rate of one service is limited. */
export async function rateAt(
  looking: Looking,
  who: ProbedService,
  baseline: Baseline
): Promise<RateLimit> {
  const { options, given, view } = looking
  // What was asked about sizes and times before came long before, or is not known to count.
  const isFirst = who === looking && options.limits.every((limit) => limit === 'rate')
  return probeVariedRate({
    before: isFirst ? baseline.asked : undefined,
    ask: (isApart) => (isApart ? who.client.send(who.ordinary) : ordinarily(who)),
    ...{ baseline, clock, parallel, stopped: given.stop.requested },
    onProgress(text) {
      view.note(text)
      view.asks(`rate: ${text}`)
    },
    upTo: options.upTo.rate,
    mostRequests: options.requests,
    mostMs: ratePart(looking) * given.deadline.leftMs()
  })
}

/** What part of the time left a rate may take: some of it is left to ask all replicas. */
function ratePart({ replicas }: Looking): number {
  return replicas.length > 0 ? 0.6 : 1
}
