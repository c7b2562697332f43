import type { RequestCounts } from './count.ts'
import { type ProbeOptions, probe } from './probe.ts'
import { type CountedReading, type Edge, readingOf } from './reading.ts'

/** What was counted on both sides of the line that a variant has shown. */
export type VariantEdge = { variant: string; edge: Edge }

/** What a line is read as: of all variants, or of one where they differ. */
export type VariantReading = { variant?: string; reading: CountedReading }

/** What else is known of what a target counts. */
export type ReadingsKnown = NonNullable<Parameters<typeof readingOf>[1]>

/** How to ask in another way, in which one count becomes more and another does not. */
export type ApartOptions = Omit<ProbeOptions, 'readings' | 'resolution' | 'ask' | 'canary'> & {
  /** What a target may have counted of so much, asked in that way. */
  countsOf: (value: number, variant: string) => RequestCounts
  ask: (value: number, variant: string) => ReturnType<ProbeOptions['ask']>
}

/** What lines are read as: one count that explains them all, or else each for itself. */
export function readingsOf(edges: readonly VariantEdge[], told: ReadingsKnown): VariantReading[] {
  const common = readingOf(
    edges.map(({ edge }) => edge),
    told
  )
  if (common) return [{ reading: common }]
  return edges.flatMap(({ variant, edge }) => {
    const reading = readingOf([edge], told)
    return reading ? [{ variant, reading }] : []
  })
}

/**
 * What lines are read as that are asked in another way as well: several counts may explain a line
 * where each is by as much more than another, of which one is round by chance. A line that is not
 * found in that way is read as nothing, unless it is known already.
 */
export async function toldApart(
  edges: readonly VariantEdge[],
  told: ReadingsKnown,
  options: ApartOptions
): Promise<VariantReading[]> {
  const readings: VariantReading[] = []
  for (const found of readingsOf(edges, told)) {
    const { variant, reading } = found
    if (told.known?.includes(reading)) {
      readings.push(found)
      continue
    }
    const alike = edges.filter((one) => variant === undefined || one.variant === variant)
    const apart = await edgeApart(alike[0]!, reading, options)
    const lines = alike.map(({ edge }) => edge)
    const again = apart && readingOf([...lines, apart], told)
    if (again) readings.push({ ...found, reading: again })
  }
  return readings
}

/** The line in another way, which is looked for where a reading says that it is. */
async function edgeApart(
  { variant, edge }: VariantEdge,
  { what }: CountedReading,
  options: ApartOptions
): Promise<Edge | undefined> {
  const { smallest, ceiling, countsOf } = options
  const said = smallest + edge.accepted[what]! - countsOf(smallest, variant)[what]!
  const { kind, accepted, rejected } = await probe({
    ...options,
    readings: [Math.min(Math.max(said, smallest), ceiling - 1)],
    resolution: 1,
    ask: (value) => options.ask(value, variant),
    canary: () => options.ask(smallest, variant)
  })
  if (kind !== 'found') return
  return { accepted: countsOf(accepted!, variant), rejected: countsOf(rejected!, variant) }
}
