import type { BodySink, BodyTaken } from '../requests/body-sink.ts'
import { createEventParser, type EventParser, type ServerEvent } from './event-parser.ts'

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

/** Whether a response is an event stream that can be read: of that type, and in no encoding. */
function isEventStream(headers: readonly string[]): boolean {
  const encoding = headerIn(headers, 'content-encoding') ?? 'identity'
  return mediaType.test(headerIn(headers, 'content-type') ?? '') && encoding === 'identity'
}

/** Takes a body as an event stream; that of a response with another status than 200 is let go. */
export function createEventStream(options: EventStreamOptions): BodySink {
  const { now, onEvent, overAt } = options
  let parser: EventParser | undefined
  let arrived = 0
  const begin = (headers: readonly string[]): EventParser | undefined => {
    if (!isEventStream(headers)) return
    return createEventParser({ ...options, onEvent: (event) => onEvent(event, arrived) })
  }
  return {
    take(part, { status, headers }): BodyTaken {
      if (status !== 200) return 'more'
      parser ??= begin(headers)
      if (parser === undefined) return 'malformed'
      arrived = now()
      return arrived >= overAt ? 'enough' : parser.take(part)
    },
    isOver: () => now() >= overAt
  }
}
