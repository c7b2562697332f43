import type { BodySink, BodyTaken } from '../requests/body-sink.ts'
import {
  createEventParser,
  type EventParser,
  maxEventBytes,
  type ServerEvent
} from './event-parser.ts'

/** Whom an event stream tells, and for how long it goes on. */
export type EventStreamOptions = {
  now: () => number
  /** Hears of an event and when it came; returns whether more are wanted. */
  onEvent: (event: ServerEvent, at: number) => boolean
  onRetry: (ms: number) => void
  onId: (id: string) => void
  lastEventId: string
  /** The moment from which on nothing more is listened to. */
  overAt: number
}

const mediaType = /^text\/event-stream\s*(;|$)/i

/** The value of a header, among names and values in turn. */
function headerIn(headers: readonly string[], name: string): string | undefined {
  const at = headers.findIndex((one, index) => index % 2 === 0 && one === name)
  return at < 0 ? undefined : headers[at + 1]
}

/** Why a response is no event stream that can be read: another type, or an encoding. */
function misfitOf(headers: readonly string[]): string | undefined {
  const type = headerIn(headers, 'content-type')
  if (!mediaType.test(type ?? '')) return `it is ${type ?? 'of no type'}, not text/event-stream`
  const encoding = headerIn(headers, 'content-encoding') ?? 'identity'
  return encoding === 'identity' ? undefined : `it is encoded (${encoding})`
}

/** Takes a body as an event stream; that of a response with another status than 200 is let go. */
export function createEventStream(options: EventStreamOptions): BodySink {
  const { now, onEvent, overAt } = options
  let parser: EventParser | undefined
  let arrived = 0
  let fault: string | undefined
  const begin = () => createEventParser({ ...options, onEvent: (event) => onEvent(event, arrived) })
  return {
    take(part, { status, headers }): BodyTaken {
      if (status !== 200) return 'more'
      if (parser === undefined) fault = misfitOf(headers)
      if (fault !== undefined) return 'malformed'
      parser ??= begin()
      arrived = now()
      if (arrived >= overAt) return 'enough'
      const said = parser.take(part)
      if (said === 'oversized') fault = `an event of more than ${maxEventBytes} bytes`
      return said
    },
    isOver: () => now() >= overAt,
    fault: () => fault
  }
}
