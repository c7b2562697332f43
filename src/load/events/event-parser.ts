import { createGrowingBytes } from '../growing-bytes.ts'

/** One event of an event stream, as a browser's `EventSource` would dispatch it. */
export type ServerEvent = {
  /** What `event:` said; `message` where it said nothing. */
  type: string
  data: string
  /** The last id that the stream has given, by this event or before it; '' without any. */
  id: string
}

/** What a parser made of some bytes: it goes on, was told to stop, or an event is too large. */
export type EventsTaken = 'more' | 'enough' | 'oversized'

/** Reads an event stream as it comes. */
export type EventParser = {
  /** Takes the next bytes of the stream, which are good only until this returns. */
  take(bytes: Buffer, from?: number, to?: number): EventsTaken
}

/** Bytes that a line, and the data of an event, may have: what is held in memory at most. */
export const maxEventBytes = 4 * 1_024 * 1_024

const [lf, cr, space, colon] = [10, 13, 32, 58]
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** Whom a parser tells, what it knows already, and how much it holds. */
type EventParserOptions = {
  /** Returns whether more events are wanted. */
  onEvent: (event: ServerEvent) => boolean
  /** The stream says how many milliseconds to wait before it is asked for again. */
  onRetry?: (ms: number) => void
  /** The stream has given the id by which it can be asked to go on from there. */
  onId?: (id: string) => void
  maxBytes?: number
  /** The last id that an earlier part of the same stream gave. */
  lastEventId?: string
}

/** Makes events of lines, each without its end. */
function createLines({ onEvent, onRetry, onId, lastEventId = '' }: EventParserOptions) {
  let id = lastEventId
  let told = lastEventId
  let type = ''
  let data: string[] = []
  let held = 0
  let isEnough = false
  const dispatch = () => {
    const event = { type: type || 'message', data: data.join('\n'), id }
    const isEvent = data.length > 0
    if (id !== told) onId?.(id)
    told = id
    type = ''
    data = []
    held = 0
    if (isEvent && !onEvent(event)) isEnough = true
  }
  const field = (name: string, value: string, bytes: number) => {
    if (name === 'event') type = value
    else if (name === 'data') {
      data.push(value)
      held += bytes
    } else if (name === 'id') {
      if (!value.includes('\0')) id = value
    } else if (name === 'retry' && /^[0-9]+$/.test(value)) onRetry?.(Number(value))
  }
  return {
    isEnough: () => isEnough,
    /** Bytes of data that wait for the end of their event. */
    held: () => held,
    take(bytes: Buffer, from: number, to: number): void {
      const found = bytes.indexOf(colon, from)
      const end = found < 0 || found >= to ? to : found
      if (from === to) dispatch()
      // A line that begins with a colon is a comment.
      if (end === from) return
      const value = Math.min(to, end + (bytes[end + 1] === space && end + 1 < to ? 2 : 1))
      field(bytes.toString('utf8', from, end), bytes.toString('utf8', value, to), to - from)
    }
  }
}

/** A parser of `text/event-stream` (HTML Standard, section 9.2.6), of bytes cut anywhere. */
export function createEventParser(options: EventParserOptions): EventParser {
  const { maxBytes = maxEventBytes } = options
  const lines = createLines(options)
  // The beginning of a line whose end has not come yet.
  const carry = createGrowingBytes()
  let said: EventsTaken = 'more'
  let isFirstLine = true
  let isAfterCr = false
  const line = (bytes: Buffer, from: number, to: number) => {
    const isMarked =
      isFirstLine && bytes.subarray(from, Math.min(to, from + 3)).equals(byteOrderMark)
    isFirstLine = false
    lines.take(bytes, isMarked ? from + 3 : from, to)
    if (lines.isEnough()) said = 'enough'
    else if (lines.held() > maxBytes) said = 'oversized'
  }
  const endLine = (bytes: Buffer, from: number, to: number) => {
    if (carry.size() > 0) {
      carry.add(bytes, from, to)
      const whole = carry.seen()
      line(whole, 0, whole.length)
      carry.drop()
    } else line(bytes, from, to)
  }
  return {
    take(bytes, from = 0, to = bytes.length) {
      let begin = from
      for (let at = from; at < to && said === 'more'; at++) {
        const byte = bytes[at]!
        if (byte !== lf && byte !== cr) isAfterCr = false
        else {
          // The LF of a CRLF ends no line of its own.
          if (byte === cr || !isAfterCr) endLine(bytes, begin, at)
          isAfterCr = byte === cr
          begin = at + 1
        }
      }
      if (said !== 'more') return said
      if (begin < to) carry.add(bytes, begin, to)
      if (carry.size() + lines.held() > maxBytes) said = 'oversized'
      return said
    }
  }
}
