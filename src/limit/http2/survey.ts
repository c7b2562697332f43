import type { Answer } from '../answer.ts'
import type { Boundary } from '../boundary.ts'
import { type CountedReading, readingOf } from '../reading.ts'
import type { Unfound } from '../survey.ts'
import { probeVariants } from '../variants.ts'
import { type Http2Options, isPaced, type Usual } from './asking.ts'
import { askBurst, askFrame, type FrameBurst, type FramePace, paceOf } from './bursts.ts'
import { askHead, fieldsOfCount, fieldsOfList, headCounts, leastOf, listVariants } from './heads.ts'
import { askStreams, endsAfter, holdingOf } from './streams.ts'
import { surveyWindows, type WindowFound } from './windows.ts'

/** What HTTP/2 alone limits. */
export const http2Names = [
  'streams',
  'header-list',
  'header-fields',
  'frame-size',
  'windows',
  'pings',
  'resets'
] as const

/** The name of one of these limits. */
export type Http2Name = (typeof http2Names)[number]

/** Whether a limit is one of HTTP/2 alone. */
export function isHttp2Name(name: string): name is Http2Name {
  return http2Names.some((one) => one === name)
}

/** Where a line was found in one way to ask, and by what refusals are told there. */
export type Http2Line = {
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
  lines: Http2Line[]
  /** Of what may come often: how many a second once as many as may come at once have come. */
  pace?: FramePace | null
}

/** What was found about one limit. */
export type Http2Found = LineFound | WindowFound | Unfound

/** How one limit is asked about. */
type Asked = {
  unit: string
  announced: number | undefined
  smallest: number
  typical: number
  ceiling: number
  variants: readonly string[]
  ask: (value: number, variant: string) => Promise<Answer>
  /** What a target may count of a question. */
  counts?: (value: number, variant: string) => ReturnType<typeof headCounts>
}

/** How often each side of a line is asked. */
const repeats = 3

/** What the largest number of a setting says is as good as nothing. */
const boundless = 2 ** 31 - 1

const told = (announced: number | undefined) =>
  announced === undefined || announced >= boundless ? undefined : announced

/** No frame can say that it is larger. */
const largestFrame = 2 ** 24 - 1

const unclear = (because: string): Unfound => ({ outcome: 'inconclusive', because })

async function seek(asked: Asked, options: Http2Options): Promise<LineFound> {
  const { unit, smallest, typical, variants, counts, ask } = asked
  const announced = told(asked.announced)
  const { stopped, onAnswer } = options
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
  const { known = [] } = options
  const common = readingOf(
    edges.filter((edge) => edge !== undefined),
    { known }
  )
  const lines = found.map(({ variant, boundary }, index): Http2Line => {
    const edge = edges[index]
    const reading = common ?? (edge && readingOf([edge], { known }))
    const how = hows.get(`${variant} ${boundary.rejected}`) ?? null
    return { variant, boundary, how, ...(edge && reading && { reading }) }
  })
  known.push(...lines.flatMap(({ reading }) => reading ?? []))
  return { unit, announced: announced ?? null, lines }
}

/**
 * After how many requests in a row a target ends connections, where its refusal may say no more
 * than that.
 */
async function farewellAfter(
  { lines: [line] }: LineFound,
  options: Http2Options,
  usual: Usual
): Promise<number | undefined> {
  if (line?.how !== 'GOAWAY (NO_ERROR)') return undefined
  return endsAfter(line.boundary.rejected! + 1, options, usual)
}

const farewell = (requests: number) =>
  `it ends connections after ${requests} requests (GOAWAY), whatever else is asked`

async function surveyStreams(options: Http2Options, usual: Usual): Promise<Http2Found> {
  const held = await holdingOf(options, usual)
  if (held === undefined) {
    const because = 'answers are whole before they can be held back'
    return { outcome: 'inapplicable', because }
  }
  const found = await seek(
    {
      ...{ unit: 'streams', announced: usual.announced.maxConcurrentStreams },
      ...{ smallest: 1, typical: 100, ceiling: 1_000, variants: [''] },
      ask: (size) => askStreams(size, options, { ...held, patienceMs: usual.patienceMs })
    },
    options
  )
  const number = await farewellAfter(found, options, usual)
  return number === undefined ? found : unclear(farewell(number))
}

function surveyHeads(
  name: 'header-list' | 'header-fields',
  options: Http2Options,
  usual: Usual
): Promise<LineFound> {
  const least = leastOf(options)
  const isList = name === 'header-list'
  const fields = (value: number, variant: string) =>
    isList ? fieldsOfList(value, variant, options) : fieldsOfCount(value, options)
  return seek(
    {
      unit: isList ? 'bytes' : 'fields',
      announced: isList ? usual.announced.maxHeaderListSize : undefined,
      smallest: isList ? least.bytes : least.fields,
      ...(isList
        ? { typical: 16 * 1_024, ceiling: 1_024 * 1_024 }
        : { typical: 100, ceiling: 10_000 }),
      variants: isList ? listVariants : [''],
      ask: (value, variant) => askHead(fields(value, variant), options, usual),
      counts: (value, variant) => headCounts(fields(value, variant))
    },
    options
  )
}

async function surveyBurst(
  burst: FrameBurst,
  options: Http2Options,
  usual: Usual
): Promise<Http2Found> {
  if (isPaced(options)) {
    const because = 'many at once are more than may be sent: leave out --rate, or ask elsewhere'
    return { outcome: 'inapplicable', because }
  }
  const found = await seek(
    {
      ...{ unit: burst, announced: undefined, smallest: 1, typical: 1_000, variants: [''] },
      ceiling: burst === 'pings' ? 10_000 : 2_000,
      ask: (count) => askBurst(burst, count, { options, usual })
    },
    options
  )
  const { boundary } = found.lines[0]!
  if (boundary.kind !== 'found') return found
  const number = await farewellAfter(found, options, usual)
  if (number !== undefined) return unclear(farewell(number))
  const pace = await paceOf({ burst, most: boundary.accepted!, options, usual })
  return { ...found, pace: pace ?? null }
}

/** Finds where a target draws one of the lines that HTTP/2 alone has. */
export async function surveyHttp2(
  name: Http2Name,
  options: Http2Options,
  usual: Usual
): Promise<Http2Found> {
  switch (name) {
    case 'streams':
      return surveyStreams(options, usual)
    case 'header-list':
    case 'header-fields':
      return surveyHeads(name, options, usual)
    case 'frame-size':
      return seek(
        {
          ...{ unit: 'bytes', announced: usual.announced.maxFrameSize },
          ...{ smallest: 1, typical: 16_384, ceiling: 1_024 * 1_024, variants: [''] },
          ask: (size) => askFrame(Math.min(size, largestFrame), options, usual)
        },
        options
      )
    case 'windows':
      return surveyWindows(options, usual)
    default:
      return surveyBurst(name, options, usual)
  }
}
