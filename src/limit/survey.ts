import type { Client } from '../client/client.ts'
import type { Clock } from '../clock.ts'
import { parseAddress } from '../target/address.ts'
import type { Answer } from './answer.ts'
import { countsOf } from './count.ts'
import { askInCrowd, canBeHeld } from './crowd.ts'
import { type Dimension, type DimensionName, dimensionsOf, type Ordinary } from './dimension.ts'
import { against, findNorm } from './norm.ts'
import { type Edge, type Reading, readingOf } from './reading.ts'
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
  known?: readonly Reading[]
}

/** Where an endpoint draws the line in one dimension. */
export type Found = {
  boundaries: VariantBoundary[]
  /** Status of the usual answer, which stands for an accept. */
  usual: number
  /** Status of the last refusal; 0 when there was none, or it came without one. */
  status: number
  /** What the target seems to count: one reading of all variants, or one each where they differ. */
  readings: { variant?: string; reading: Reading }[]
}

/** Why there is nothing to find: it cannot be asked of this target, or it had no clear answer. */
export type Unfound = { outcome: 'inapplicable' | 'inconclusive'; because: string }

/** Finds where an endpoint draws the line. */
export async function surveyDimension(
  name: DimensionName,
  options: SurveyOptions
): Promise<Found | Unfound> {
  const { client, ordinary, repeats, clock, stopped } = options
  const dimension: Dimension = dimensionsOf(ordinary)[name]
  const { smallest, typical, variants, asks } = dimension
  const { ceiling = dimension.ceiling } = options
  const plain = dimension.question(smallest, variants[0]!)
  const norm = await findNorm(() => client.send(plain))
  if (typeof norm === 'string') return { outcome: 'inconclusive', because: norm }
  if (asks === 'crowd' && !(await canBeHeld({ client, question: plain, norm, clock }))) {
    const because = `answered ${norm.status} before all of the request is there`
    return { outcome: 'inapplicable', because }
  }
  let status = 0
  const ask = async (value: number, variant: string): Promise<Answer> => {
    const question = dimension.question(value, variant)
    if (asks === 'crowd') return askInCrowd(value, { client, question, norm, clock })
    return against(await client.send(question), norm)
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
  const isForeign = [405, 501].includes(norm.status) && plain.method !== ordinary.method
  if (isForeign && boundaries.every(({ boundary }) => boundary.kind === 'unlimited')) {
    return { outcome: 'inapplicable', because: `${plain.method} is answered ${norm.status}` }
  }
  const edges = asks === 'one' ? edgesOf(boundaries, dimension, client) : []
  return { boundaries, usual: norm.status, status, readings: readingsOf(edges, options.known) }
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
  known: readonly Reading[] = []
): Found['readings'] {
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
