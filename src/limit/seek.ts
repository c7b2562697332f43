import type { Answer } from './answer.ts'
import type { Boundary } from './boundary.ts'
import type { RequestCounts } from './count.ts'
import type { SustainedPace } from './pace-search.ts'
import { type CountedReading, readingOf } from './reading.ts'
import { probeVariants } from './variants.ts'

/** Where a line was found in one way to ask, and by what refusals are told there. */
export type SoughtLine = {
  variant: string
  boundary: Boundary
  how: string | null
  reading?: CountedReading
}

/** Where a target draws a line. */
export type LineFound = {
  unit: string
  /** What it says itself of this limit; null where it says nothing. */
  announced: number | null
  lines: SoughtLine[]
  /** Of what may come often: how many a second once as many as may come at once have come. */
  pace?: SustainedPace | null
}

/** How a line is asked about. */
export type LineAsked = {
  unit: string
  announced?: number | undefined
  smallest: number
  typical: number
  /** The most to ask for, where nobody says otherwise. */
  ceiling: number
  variants: readonly string[]
  ask: (value: number, variant: string) => Promise<Answer>
  /** What a target may count of a question. */
  counts?: (value: number, variant: string) => RequestCounts
}

/** How far a line is looked for, and who hears of it. */
export type SeekOptions = {
  stopped: () => boolean
  ceiling?: number
  /** What was found to be counted so far; added to. */
  known?: CountedReading[]
  /** Told of every answer: to which value, in which variant. */
  onAnswer?: (value: number, variant: string, answer: Answer) => void
}

/** How often each side of a line is asked. */
const repeats = 3

/** What the largest number of a setting says is as good as nothing. */
const boundless = 2 ** 31 - 1

/** Finds a line, and by what refusals are told there. */
export async function seek(asked: LineAsked, options: SeekOptions): Promise<LineFound> {
  const { unit, smallest, typical, variants, counts, ask } = asked
  const announced = (asked.announced ?? boundless) < boundless ? asked.announced : undefined
  const { stopped, onAnswer, known = [] } = options
  // What a target says of itself is asked for as far as that goes.
  const beyond = 2 * (announced ?? 0)
  const far = beyond > 10 * asked.ceiling ? asked.ceiling : Math.max(asked.ceiling, beyond)
  const ceiling = Math.max(smallest + 1, options.ceiling ?? far)
  const hows = new Map<string, string>()
  const found = await probeVariants({
    ...{ variants, smallest, ceiling, repeats, stopped, resolution: 1 },
    readings: [Math.max(smallest, Math.min(announced ?? typical, ceiling - 1))],
    async ask(value, variant) {
      const answer = await ask(value, variant)
      onAnswer?.(value, variant, answer)
      if (answer.kind === 'rejected') hows.set(`${variant} ${value}`, answer.because)
      return answer
    },
    canary: (variant) => ask(smallest, variant)
  })
  const edges = found.map(({ variant, boundary: { kind, accepted, rejected } }) => {
    if (kind !== 'found' || counts === undefined) return undefined
    return { accepted: counts(accepted!, variant), rejected: counts(rejected!, variant) }
  })
  const common = readingOf(
    edges.filter((edge) => edge !== undefined),
    { known }
  )
  const lines = found.map(({ variant, boundary }, index): SoughtLine => {
    const edge = edges[index]
    const reading = common ?? (edge && readingOf([edge], { known }))
    const how = hows.get(`${variant} ${boundary.rejected}`) ?? null
    return { variant, boundary, how, ...(edge && reading && { reading }) }
  })
  known.push(...lines.flatMap(({ reading }) => reading ?? []))
  return { unit, announced: announced ?? null, lines }
}

/** How often a line is looked for where chance may have its hand in it. */
const tries = 3

/**
 * The same for what comes back with time, so that one more may be let through by chance: it is
 * looked for anew where answers contradict each other.
 */
export async function seekSurely(asked: LineAsked, options: SeekOptions): Promise<LineFound> {
  let found = await seek(asked, options)
  const isUnclear = () => found.lines.some(({ boundary }) => boundary.kind === 'unclear')
  for (let more = 1; more < tries && isUnclear() && !options.stopped(); more++) {
    found = await seek(asked, options)
  }
  return found
}

/** Words for a connection that ended without any: it may be chance, and is asked about again. */
export const wordless = 'closed'

/**
 * An answer in words, as a search takes it: a connection that is closed without a word, and what
 * may be chance, are asked about again.
 */
export function wordedAnswer(
  kind: Answer['kind'],
  because: string,
  { url, method = 'GET', status = 0, isSure = true }: WordedAnswer
): Answer {
  const isLost = because === wordless
  const request = { method, url, bodyBytes: 0 }
  const told = { status, phase: 'end', sent: 0, because, request, excerpt: '' } as const
  const evidence = { kind: isLost ? 'closed' : 'answered', ...told } as const
  return { kind, proper: isSure && !isLost, because, evidence }
}

/** What an answer in words is an answer to, and how sure it is. */
export type WordedAnswer = { url: string; method?: string; status?: number; isSure?: boolean }
