import type { Client, RawRequest } from '../client/client.ts'
import type { Clock } from '../clock.ts'
import { parseAddress } from '../target/address.ts'
import { type Answer, unclear } from './answer.ts'
import { type AtWork, atWork, findAtWork } from './at-work.ts'
import { against, findBaseline } from './baseline.ts'
import type { Boundary } from './boundary.ts'
import { askInCrowd, canBeHeld } from './concurrency.ts'
import { countsOf, type RequestCounts } from './count.ts'
import {
  type Dimension,
  type DimensionName,
  dimensionsOf,
  inTwoWrites,
  type Ordinary
} from './dimension.ts'
import type { CountedReading, Edge } from './reading.ts'
import {
  type ReadingsKnown,
  readingsOf,
  toldApart,
  type VariantEdge,
  type VariantReading
} from './reading-apart.ts'
import { probeVariants, type VariantBoundary } from './variants.ts'

/** Whose limits to look for, and how. */
export type SurveyOptions = {
  client: Client
  /** A request that the endpoint answers as usual. */
  ordinary: Ordinary
  /** How often each side of a boundary is asked. */
  repeats: number
  clock: Clock
  stopped: () => boolean
  /** Told of every answer: to which value, in which variant. */
  onAnswer?: (value: number, variant: string, answer: Answer) => void
  /** The most to ask for, where it is not the dimension's own. */
  ceiling?: number
  /** What was found to be counted in other dimensions. */
  known?: readonly CountedReading[]
  /** What of the requests that were taken in other dimensions a target may have counted. */
  taken?: readonly RequestCounts[]
}

/** Where an endpoint draws the line in one dimension. */
export type DimensionFound = {
  boundaries: (VariantBoundary & { status: number })[]
  /** Status of the usual answer, which stands for an accept. */
  usual: number
  /** Status of the refusal at the line; 0 when there was none, or it came without one. */
  status: number
  /** What the target seems to count: one reading of all variants, or one each where they differ. */
  readings: VariantReading[]
  /** What a target may have counted of the largest requests that it took. */
  taken: RequestCounts[]
}

/** Why there is nothing to find: it cannot be asked of this target, or it had no clear answer. */
export type Unfound = { outcome: 'inapplicable' | 'inconclusive'; because: string }

/** How long before its last byte the rest of a head is sent that comes in two writes, in ms. */
const apartMs = 40

/** How many are sent at once at first where none can be held back. */
const unheld = 64

/** Finds where an endpoint draws the line. */
export async function surveyDimension(
  name: DimensionName,
  options: SurveyOptions
): Promise<DimensionFound | Unfound> {
  const { client, ordinary, repeats, clock, stopped, onAnswer } = options
  const dimension: Dimension = dimensionsOf(ordinary)[name]
  const { smallest, typical, variants, asks } = dimension
  const { ceiling = dimension.ceiling } = options
  const plain = dimension.question(smallest, variants[0]!)
  const baseline = await findBaseline(() => client.send(plain))
  if (typeof baseline === 'string') return { outcome: 'inconclusive', because: baseline }
  const asking = { client, question: plain, baseline, clock }
  const isHeld = asks === 'one' || (await canBeHeld(asking))
  // What is held back may be counted only once it is whole, and what cannot be is counted at once.
  const workedOn = (first: number) => {
    const onAnswer = (value: number, answer: Answer) => options.onAnswer?.(value, atWork, answer)
    return findAtWork({ asking, isHeld, first, repeats, stopped, onAnswer })
  }
  if (!isHeld) {
    const found = name === 'concurrency' ? await workedOn(Math.min(ceiling, unheld)) : undefined
    if (found && 'because' in found) return { outcome: 'inconclusive', ...found }
    if (found) return foundAtWork(found, { usual: baseline.status })
    const because = `answered ${baseline.status} before all of the request is there`
    return { outcome: 'inapplicable', because }
  }
  const statuses = new Map<string, number>()
  const ask = async (value: number, variant: string): Promise<Answer> => {
    const question = inWrites(dimension.question(value, variant), variant, clock)
    if (asks === 'crowd') return askInCrowd(value, { ...asking, question })
    return against(await client.send(question), baseline)
  }
  const finding = () =>
    probeVariants({
      ...{ variants, smallest, ceiling, repeats, stopped, resolution: 1 },
      readings: [Math.max(smallest, Math.min(typical, ceiling - 1))],
      async ask(value, variant) {
        const answer = await ask(value, variant)
        onAnswer?.(value, variant, answer)
        const status = answer.proper ? answer.evidence.status : 0
        if (answer.kind === 'rejected') statuses.set(`${variant} ${value}`, status)
        return answer
      },
      canary: (variant) => ask(smallest, variant)
    })
  const found = await (asks === 'crowd' ? whenEmpty(finding, options) : finding())
  const isOpen = found.every(({ boundary }) => boundary.kind === 'unlimited')
  const because = isOpen && whyUnasked(plain, ordinary, { asks, status: baseline.status })
  if (because) return { outcome: 'inapplicable', because }
  const [{ boundary: line }] = found as [VariantBoundary]
  if (name === 'concurrency' && line.kind === 'unlimited' && !stopped()) {
    const worked = await workedOn(line.accepted!)
    if (worked && 'because' in worked) return { outcome: 'inconclusive', ...worked }
    if (worked) return foundAtWork(worked, { usual: baseline.status, held: line })
  }
  const boundaries = found.map((one) => ({ ...one, status: statusOf(one, statuses) }))
  const status = boundaries.find(({ status }) => status > 0)?.status ?? 0
  const edges = asks === 'one' ? edgesOf(boundaries, dimension, client) : []
  const taken = asks === 'one' ? takenOf(boundaries, dimension, client) : []
  const all = { known: options.known, taken: [...(options.taken ?? []), ...taken] }
  const readings = await readApart(edges, all, { ...options, dimension, ceiling })
  return { boundaries, usual: baseline.status, status, readings, taken }
}

/** What lines are read as where another way to ask tells counts apart. */
async function readApart(
  edges: readonly VariantEdge[],
  told: ReadingsKnown,
  options: SurveyOptions & { dimension: Dimension; ceiling: number }
): Promise<VariantReading[]> {
  const { client, clock, repeats, stopped, ceiling, dimension } = options
  const { question, smallest, variants, apart } = dimension
  if (!apart || edges.length === 0) return readingsOf(edges, told)
  const usual = await findBaseline(() => client.send(apart(question(smallest, variants[0]!))))
  const address = parseAddress(client.url)
  return toldApart(edges, told, {
    ...{ smallest, ceiling, repeats, stopped },
    countsOf: (value, variant) => countsOf(apart(question(value, variant)), address),
    async ask(value, variant) {
      const asked = inWrites(apart(question(value, variant)), variant, clock)
      const reply = await client.send(asked)
      return typeof usual === 'string' ? unclear(reply) : against(reply, usual)
    }
  })
}

/** The question, in two writes where it is asked so. */
function inWrites(question: RawRequest, variant: string, clock: Clock): RawRequest {
  if (variant !== inTwoWrites) return question
  return { ...question, beforeLastByte: () => clock.until(clock.now() + apartMs) }
}

/** The status of the refusal at a variant's line, of those seen; 0 where there was none. */
const statusOf = ({ variant, boundary }: VariantBoundary, statuses: Map<string, number>) =>
  statuses.get(`${variant} ${boundary.rejected}`) ?? 0

/** How often a crowd is asked again that contradicts itself, and after how long. */
const crowdAgain = { times: 2, afterMs: 1_000 }

/** What crowds came to; what still ends of one counts in the next, where a target is busy. */
async function whenEmpty(
  finding: () => Promise<VariantBoundary[]>,
  { clock, stopped }: Pick<SurveyOptions, 'clock' | 'stopped'>
): Promise<VariantBoundary[]> {
  for (let again = 0; ; again++) {
    const found = await finding()
    const isUnclear = found.some(({ boundary }) => boundary.kind === 'unclear')
    if (!isUnclear || again === crowdAgain.times || stopped()) return found
    await clock.until(clock.now() + crowdAgain.afterMs)
  }
}

/** Why a usual answer has nothing to do with the size of what was asked; undefined where it has. */
function whyUnasked(
  { method, body }: RawRequest,
  ordinary: Ordinary,
  { asks, status }: Pick<Dimension, 'asks'> & { status: number }
) {
  // Who takes no such request whatever its size has no limit on its size either.
  if ([405, 501].includes(status) && method !== ordinary.method) {
    return `${method} is answered ${status}`
  }
  // Nor has shown one who looks at the type of a body first.
  if (asks === 'one' && body && status === 415) {
    return `${method} is answered 415: -H content-type:… says what the body is`
  }
  return undefined
}

/** The line on how many are worked on, and beside it how many may be held back. */
function foundAtWork(
  { boundary, status }: Extract<AtWork, { status: number }>,
  { usual, held }: { usual: number; held?: Boundary }
): DimensionFound {
  const others = held ? [{ variant: 'under way', boundary: held, status: 0 }] : []
  const boundaries = [{ variant: atWork, boundary, status }, ...others]
  return { boundaries, usual, status, readings: [], taken: [] }
}

/** What a target may have counted of the largest request that it took of each variant. */
function takenOf(boundaries: VariantBoundary[], { question }: Dimension, { url }: Client) {
  const address = parseAddress(url)
  return boundaries.flatMap(({ variant, boundary: { accepted } }) => {
    return accepted === undefined ? [] : [countsOf(question(accepted, variant), address)]
  })
}

/** What a target may have counted on both sides of the line that a variant has shown. */
function edgesOf(boundaries: VariantBoundary[], { question }: Dimension, client: Client) {
  const address = parseAddress(client.url)
  return boundaries.flatMap(({ variant, boundary: { kind, accepted, rejected } }) => {
    if (kind !== 'found') return []
    const counts = (value: number) => countsOf(question(value, variant), address)
    const edge: Edge = { accepted: counts(accepted!), rejected: counts(rejected!) }
    return [{ variant, edge }]
  })
}
