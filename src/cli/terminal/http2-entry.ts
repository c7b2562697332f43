import type { Http2Found, Http2Line, Http2Name } from '../../limit/http2/survey.ts'
import type { WindowFound } from '../../limit/http2/windows.ts'
import type { Unfound } from '../../limit/survey.ts'
import { grouped } from '../../report/quantity.ts'
import { readingText } from './reading-text.ts'

/** Where one way to ask has shown a line; what was not found is null. */
type Http2LineEntry = {
  variant: string
  kind: Http2Line['boundary']['kind']
  accepted: number | null
  rejected: number | null
  /** By which frame, or status, it is refused. */
  how: string | null
  reading: string | null
  because: string
}

/** A limit of HTTP/2 alone, as `--json` tells it: the first of its lines, and all of them. */
export type Http2SizeEntry = Omit<Http2LineEntry, 'variant'> & {
  limit: Http2Name
  unit: string
  /** What the target says itself of this limit; null where it says nothing. */
  announced: number | null
  /** Of what may come often: how many a second after that are taken, and are not. */
  perSecond: { accepted: number; rejected: number | null } | null
  lines: Http2LineEntry[]
}

/** What `--json` tells of one limit of HTTP/2 alone. */
export type Http2Entry =
  | Http2SizeEntry
  | (WindowFound & { limit: Http2Name })
  | (Unfound & { limit: Http2Name })

/** What was found out about one limit of HTTP/2. */
export function http2Entry(limit: Http2Name, found: Http2Found): Http2Entry {
  if (!('lines' in found)) return { limit, ...found }
  const { unit, announced, pace = null } = found
  const lines = found.lines.map(({ variant, boundary, how, reading }): Http2LineEntry => {
    const { kind, accepted = null, rejected = null, because } = boundary
    const counted = reading === undefined ? null : readingText(reading)
    return { variant, kind, accepted, rejected, how, reading: counted, because }
  })
  const { variant: _, ...line } = lines[0]!
  return { limit, ...line, unit, announced, perSecond: pace, lines }
}

const amount = (value: number, unit: string) =>
  `${grouped(value)} ${value === 1 ? unit.replace(/s$/, '') : unit}`

function lineText(line: Http2LineEntry, unit: string): string {
  const { kind, accepted, rejected, how, because } = line
  if (kind === 'unlimited') return `no limit up to ${amount(accepted!, unit)}`
  if (kind === 'closed') return `nothing accepted: ${because}`
  if (kind === 'unclear') return `unclear: ${because}`
  return `${amount(accepted!, unit)} accepted, ${grouped(rejected!)} refused (${how})`
}

/** Two figures are told of a number that is not whole. */
const figure = (value: number) => grouped(Number(value.toPrecision(value < 100 ? 2 : 3)))

function paceText({ perSecond, limit }: Http2SizeEntry): string[] {
  if (perSecond === null) return []
  const { accepted, rejected } = perSecond
  if (rejected === null) return [`and at least ${figure(accepted)} a second from then on`]
  if (accepted === 0) return [`and not one ${limit === 'pings' ? 'ping' : 'reset'} a second then`]
  const [most, tooMany] = [figure(accepted), figure(rejected)]
  if (most === tooMany) return [`then about ${most} a second`]
  return [`then ${most} a second accepted, ${tooMany} refused`]
}

function sizeLines(entry: Http2SizeEntry): string[] {
  const { unit, announced, lines } = entry
  const alike = Map.groupBy(lines, (one) => `${lineText(one, unit)} ${one.reading}`)
  const texts = [...alike.values()].flatMap((group) => {
    const [first] = group as [Http2LineEntry]
    const named = group.map(({ variant }) => variant).join(', ')
    const text = alike.size > 1 ? `${named}: ${lineText(first, unit)}` : lineText(first, unit)
    return [text, ...(first.reading === null ? [] : [`counted: ${first.reading}`])]
  })
  const said = announced === null ? [] : [`announced: ${amount(announced, unit)}`]
  return [...texts, ...paceText(entry), ...said]
}

function windowLines({ stream, connection, opensAfter, ...body }: WindowFound): string[] {
  const { sent, bytes, because } = body
  const widths = `${grouped(stream)} bytes a stream, ${grouped(connection)} a connection`
  const opens =
    opensAfter === null
      ? 'neither was opened again'
      : `opened again once ${grouped(opensAfter)} bytes were sent`
  const upload = `${grouped(sent)} of ${grouped(bytes)} bytes of a body were sent: ${because}`
  return [widths, `${opens}; ${upload}`]
}

/** What was found out about one limit of HTTP/2, in lines. */
export function http2Lines(entry: Http2Entry): string[] {
  if ('lines' in entry) return sizeLines(entry)
  return 'opensAfter' in entry ? windowLines(entry) : [`not to be found: ${entry.because}`]
}

/** Whether it was clear where the line is, that there is none, or that it cannot be asked. */
export function isHttp2Clear(entry: Http2Entry): boolean {
  if ('lines' in entry) {
    const isSettled = entry.lines.every(({ kind }) => kind === 'found' || kind === 'unlimited')
    const isPaceKnown = entry.perSecond !== null || !['pings', 'resets'].includes(entry.limit)
    return isSettled && (isPaceKnown || entry.kind === 'unlimited')
  }
  if ('outcome' in entry) return entry.outcome === 'inapplicable'
  return entry.opensAfter !== null || (entry.status ?? 0) > 0
}
