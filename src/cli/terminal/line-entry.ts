import type { RpcName } from '../../limit/http2/rpc-message.ts'
import type { Http2Found, Http2Name } from '../../limit/http2/survey.ts'
import type { WindowFound } from '../../limit/http2/windows.ts'
import type { SoughtLine } from '../../limit/seek.ts'
import type { Unfound } from '../../limit/survey.ts'
import type { SocketName } from '../../limit/websocket/survey.ts'
import { oneLine } from '../../report/printable.ts'
import { grouped } from '../../report/quantity.ts'
import { readingText } from './reading-text.ts'

/** Where one way to ask has shown a line; what was not found is null. */
type WayEntry = {
  variant: string
  kind: SoughtLine['boundary']['kind']
  accepted: number | null
  rejected: number | null
  /** By which frame, or status, it is refused. */
  how: string | null
  reading: string | null
  because: string
}

/** What HTTP/2 alone, a WebSocket, or a call of gRPC is limited by. */
export type LineName = Http2Name | SocketName | RpcName

/** One of these limits, as `--json` tells it: the first of its lines, and all of them. */
export type SoughtEntry = Omit<WayEntry, 'variant'> & {
  limit: LineName
  unit: string
  /** What the target says itself of this limit; null where it says nothing. */
  announced: number | null
  /** Of what may come often: how many a second after that are taken, and are not. */
  perSecond: { accepted: number; rejected: number | null } | null
  lines: WayEntry[]
}

/** What `--json` tells of one of these limits. */
export type LineEntry =
  | SoughtEntry
  | (WindowFound & { limit: LineName })
  | (Unfound & { limit: LineName })

/** What was found out about one of these limits. */
export function lineEntry(limit: LineName, found: Http2Found): LineEntry {
  if (!('lines' in found)) return { limit, ...found }
  const { unit, announced, pace = null } = found
  const lines = found.lines.map(({ variant, boundary, how, reading }): WayEntry => {
    const { kind, accepted = null, rejected = null, because } = boundary
    const counted = reading === undefined ? null : readingText(reading)
    return { variant, kind, accepted, rejected, how, reading: counted, because }
  })
  const { variant: _, ...line } = lines[0]!
  return { limit, ...line, unit, announced, perSecond: pace, lines }
}

const amount = (value: number, unit: string) =>
  `${grouped(value)} ${value === 1 ? unit.replace(/s$/, '') : unit}`

function lineText(line: WayEntry, unit: string): string {
  const { kind, accepted, rejected } = line
  // What a target says of it may be anything.
  const [how, because] = [oneLine(line.how ?? '', 100), oneLine(line.because, 200)]
  if (kind === 'unlimited') return `no limit up to ${amount(accepted!, unit)}`
  if (kind === 'closed') return `nothing accepted: ${because}`
  if (kind === 'unclear') return `unclear: ${because}`
  return `${amount(accepted!, unit)} accepted, ${grouped(rejected!)} refused (${how})`
}

/** Those of which it is found out how many a second are taken, too. */
const often: readonly LineName[] = ['pings', 'resets', 'messages']

/** Two figures are told of a number that is not whole. */
const figure = (value: number) => grouped(Number(value.toPrecision(value < 100 ? 2 : 3)))

function paceText({ perSecond, limit, kind }: SoughtEntry): string[] {
  if (perSecond === null) {
    return kind === 'found' && often.includes(limit) ? ['how many a second then is unclear'] : []
  }
  const { accepted, rejected } = perSecond
  if (rejected === null) return [`and at least ${figure(accepted)} a second from then on`]
  if (accepted === 0) return [`and not one ${limit.replace(/s$/, '')} a second then`]
  const [most, tooMany] = [figure(accepted), figure(rejected)]
  if (most === tooMany) return [`then about ${most} a second`]
  return [`then ${most} a second accepted, ${tooMany} refused`]
}

function sizeLines(entry: SoughtEntry): string[] {
  const { unit, announced, lines } = entry
  const alike = Map.groupBy(lines, (one) => `${lineText(one, unit)} ${one.reading}`)
  const texts = [...alike.values()].flatMap((group) => {
    const [first] = group as [WayEntry]
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

/** What was found out about one of these limits, in lines. */
export function entryLines(entry: LineEntry): string[] {
  if ('lines' in entry) return sizeLines(entry)
  if ('opensAfter' in entry) return windowLines(entry)
  return [`not to be found: ${oneLine(entry.because, 200)}`]
}

/** Whether it was clear where the line is, that there is none, or that it cannot be asked. */
export function isLineClear(entry: LineEntry): boolean {
  if ('lines' in entry) {
    const isSettled = entry.lines.every(({ kind }) => kind === 'found' || kind === 'unlimited')
    const isPaceKnown = entry.perSecond !== null || !often.includes(entry.limit)
    return isSettled && (isPaceKnown || entry.kind === 'unlimited')
  }
  if ('outcome' in entry) return entry.outcome === 'inapplicable'
  return entry.opensAfter !== null || (entry.status ?? 0) > 0
}
