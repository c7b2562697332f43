import { type LineFound, seek, seekSurely } from '../seek.ts'
import type { Unfound } from '../survey.ts'
import { type Http2Options, isPaced, type Usual } from './asking.ts'
import { askBurst, askFrame, type FrameBurst, paceOf } from './bursts.ts'
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

/** What was found about one limit. */
export type Http2Found = LineFound | WindowFound | Unfound

/** No frame can say that it is larger. */
const largestFrame = 2 ** 24 - 1

const unclear = (because: string): Unfound => ({ outcome: 'inconclusive', because })

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
  const found = await seekSurely(
    {
      ...{ unit: burst, smallest: 1, typical: 1_000, variants: [''] },
      ceiling: burst === 'pings' ? 10_000 : 2_000,
      ask: (count) => askBurst(burst, count, { options, usual })
    },
    options
  )
  const { boundary, how } = found.lines[0]!
  if (boundary.kind !== 'found') return found
  const number = await farewellAfter(found, options, usual)
  if (number !== undefined) return unclear(farewell(number))
  const pace = await paceOf({ burst, most: boundary.accepted!, how, options, usual })
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
