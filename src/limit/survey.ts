import type { Client } from '../client/client.ts'
import type { Clock } from '../clock.ts'
import { parseAddress } from '../target/address.ts'
import type { Answer } from './answer.ts'
import { against, findBaseline } from './baseline.ts'
import { askInCrowd, canBeHeld } from './concurrency.ts'
import { countsOf } from './count.ts'
import { type Dimension, type DimensionName, dimensionsOf, type Ordinary } from './dimension.ts'
import { type CountedReading, type Edge, readingOf } from './reading.ts'
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
  /** The most to ask for, where it is not the dimension's own. */
  ceiling?: number
  /** What was found to be counted in other dimensions. */
  known?: readonly CountedReading[]
}

/** Where an endpoint draws the line in one dimension. */
export type DimensionFound = {
  boundaries: VariantBoundary[]
  /** Status of the usual answer, which stands for an accept. */
  usual: number
  /** Status of the last refusal; 0 when there was none, or it came without one. */
  status: number
  /** What the target seems to count: one reading of all variants, or one each where they differ. */
  readings: { variant?: string; reading: CountedReading }[]
}

/** Why there is nothing to find: it cannot be asked of this target, or it had no clear answer. */
export type Unfound = { outcome: 'inapplicable' | 'inconclusive'; because: string }

/** Finds where an endpoint draws the line. */
export async function surveyDimension(
  name: DimensionName,
  options: SurveyOptions
): Promise<DimensionFound | Unfound> {
  const { client, ordinary, repeats, clock, stopped } = options
  const dimension: Dimension = dimensionsOf(ordinary)[name]
  const { smallest, typical, variants, asks } = dimension
  const { ceiling = dimension.ceiling } = options
  const plain = dimension.question(smallest, variants[0]!)
  const baseline = await findBaseline(() => client.send(plain))
  if (typeof baseline === 'string') return { outcome: 'inconclusive', because: baseline }
  if (asks === 'crowd' && !(await canBeHeld({ client, question: plain, baseline, clock }))) {
    const because = `answered ${baseline.status} before all of the request is there`
    return { outcome: 'inapplicable', because }
  }
  let status = 0
  const ask = async (value: number, variant: string): Promise<Answer> => {
    const question = dimension.question(value, variant)
    if (asks === 'crowd') return askInCrowd(value, { client, question, baseline, clock })
    return against(await client.send(question), baseline)
  }
  const boundaries = await probeVariants({
    ...{ variants, smallest, ceiling, repeats, stopped, resolution: 1 },
    readings: [Math.max(smallest, Math.min(typical, ceiling - 1))],
    async ask(value, variant) {
      const answer = await ask(value, variant)
      if (answer.kind === 'rejected') status = answer.proper ? answer.evidence.status : 0
      return answer
    },
    canary: (variant) => ask(smallest, variant)
  })
  // Who takes no such request whatever its size has no limit on its size either.
  const isForeign = [405, 501].includes(baseline.status) && plain.method !== ordinary.method
  if (isForeign && boundaries.every(({ boundary }) => boundary.kind === 'unlimited')) {
    return { outcome: 'inapplicable', because: `${plain.method} is answered ${baseline.status}` }
  }
  const edges = asks === 'one' ? edgesOf(boundaries, dimension, client) : []
  return { boundaries, usual: baseline.status, status, readings: readingsOf(edges, options.known) }
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

function readingsOf(
  edges: ReturnType<typeof edgesOf>,
  known: readonly CountedReading[] = []
): DimensionFound['readings'] {
  const common = readingOf(
    edges.map(({ edge }) => edge),
    known
  )
  if (common) return [{ reading: common }]
  return edges.flatMap(({ variant, edge }) => {
    const reading = readingOf([edge], known)
    return reading ? [{ variant, reading }] : []
  })
}
