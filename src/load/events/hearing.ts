import type { Ending, Sample } from '../figures/sample.ts'
import type { StreamMetric } from '../figures/stream-metrics.ts'
import type { BodySink } from '../requests/body-sink.ts'
import type { ServerEvent } from './event-parser.ts'
import { createEventStream } from './event-stream.ts'
import type { EventsAsked } from './events-asked.ts'

/** What an iteration asks of an event stream: as plain data has it, or by functions. */
export type EventsOptions = Omit<EventsAsked, 'until' | 'tokens'> & {
  /** When it is complete: after so many events, with this data, or with one that is the last. */
  until?: number | string | ((event: ServerEvent) => boolean)
  /** Whether each event is one token, or how many it holds. */
  tokens?: boolean | ((event: ServerEvent) => number)
  /** Hears of every event as it comes. */
  onEvent?: (event: ServerEvent) => void
}

/** Listens to one event stream, over all the requests that it takes. */
export type Hearing = {
  /** How many events have come, the last of them, and when the first one did. */
  events(): number
  last(): ServerEvent | undefined
  first(): number
  /** The id to go on from, and how long to wait before that. */
  lastEventId(): string
  retryMs(): number
  /** Whether nothing more is wanted. */
  isOver(): boolean
  /** Whether the target has said that nothing more comes. */
  isDismissed(): boolean
  /** What an author's function threw. */
  fault(): { cause: unknown } | undefined
  /** Takes the body of the next request, until that moment at the latest. */
  sink(limitAt: number): BodySink
  /** How a request for it ended; `mayGoOn` where another one may follow. */
  endingOf(
    sample: Pick<Sample, 'ending' | 'status'>,
    how: { mayGoOn: boolean; limitAt: number }
  ): Ending
  /** Why it was not what was asked for where the response itself was whole, in words. */
  because(): string | undefined
  /** Takes down what is only known when it is over. */
  close(): void
}

/** How long to wait before a stream is asked for again, and at most, whatever it says. */
const [usualRetryMs, longestRetryMs] = [3_000, 10_000]

/** The status by which a target says that there is no more to listen to. */
const noContent = 204

/** Whether an event is the last one that is wanted, where so many came before it. */
function isLast(until: EventsOptions['until'], event: ServerEvent, before: number): boolean {
  if (typeof until === 'function') return until(event)
  return typeof until === 'number' ? before + 1 >= until : event.data === until
}

/** Tokens as they come, and how many of them a second since the first event. */
function createTokens({ tokens = false, until }: EventsOptions) {
  // The data that ends a stream is the server's word, and no token.
  const one = ({ data }: ServerEvent) => (data === until ? 0 : 1)
  const countIn = typeof tokens === 'function' ? tokens : one
  let later = 0
  return {
    isCounted: tokens !== false,
    take(event: ServerEvent, isFirst: boolean): number {
      const count = countIn(event)
      if (!(count >= 0 && count < Infinity)) throw new TypeError(`events: ${count} tokens`)
      if (!isFirst) later += count
      return count
    },
    /** Undefined where there is no time to tell a rate from. */
    rate: (ms: number) => (later > 0 && ms > 0 ? (later * 1_000) / ms : undefined)
  }
}

/** Keeps what events there were, and takes down what each of them tells. */
function createCount(options: EventsOptions, measure: Measure) {
  const { until, onEvent } = options
  const tokens = createTokens(options)
  const times = { first: Number.NaN, last: Number.NaN }
  let events = 0
  let last: ServerEvent | undefined
  let isComplete = false
  // What was counted and never happened is 0, and not unknown.
  for (const name of ['events', 'reconnects'] as const) measure(name, 0)
  if (tokens.isCounted) measure('tokens', 0)
  return {
    events: () => events,
    last: () => last,
    first: () => times.first,
    isComplete: () => isComplete,
    /** Takes an event; returns whether more are wanted. */
    hear(event: ServerEvent, at: number): boolean {
      const isFirst = events === 0
      if (isFirst) times.first = at
      else measure('eventGap', at - times.last)
      times.last = at
      last = event
      measure('events', 1)
      isComplete = isLast(until, event, events++)
      if (tokens.isCounted) measure('tokens', tokens.take(event, isFirst))
      onEvent?.(event)
      return !isComplete
    },
    /** Takes down what is only known when it is over. */
    close(): void {
      const rate = tokens.isCounted ? tokens.rate(times.last - times.first) : undefined
      if (rate !== undefined) measure('tokenRate', rate)
    }
  }
}

/** What listens to a stream, from now on. */
export function createHearing(
  options: EventsOptions,
  { now, measure }: { now: () => number; measure: Measure }
): Hearing {
  const { until, seconds = Infinity } = options
  const overAt = now() + seconds * 1_000
  const { events, last, first, isComplete, hear, close } = createCount(options, measure)
  let lastEventId = ''
  let fault: { cause: unknown } | undefined
  let retryMs = usualRetryMs
  let isDismissed = false
  let sink: BodySink | undefined
  let missing: string | undefined
  const told = {
    onId(id: string) {
      lastEventId = id
    },
    onRetry(ms: number) {
      retryMs = Math.min(ms, longestRetryMs)
    },
    onEvent(event: ServerEvent, at: number) {
      try {
        return hear(event, at)
      } catch (cause) {
        // What an author's function throws must not end up in the socket that brought this.
        fault = { cause }
        return false
      }
    }
  }
  return {
    ...{ events, last, first, close },
    lastEventId: () => lastEventId,
    retryMs: () => retryMs,
    isDismissed: () => isDismissed,
    isOver: () => isDismissed || isComplete() || fault !== undefined || now() >= overAt,
    fault: () => fault,
    sink(limitAt) {
      sink = createEventStream({ ...told, now, overAt: Math.min(overAt, limitAt), lastEventId })
      return sink
    },
    because: () => sink?.fault?.() ?? missing,
    endingOf({ ending, status }, { mayGoOn, limitAt }) {
      isDismissed = ending === 'answered' && status === noContent
      const isStream = ending === 'answered' && (status === 200 || isDismissed)
      if (!isStream || fault !== undefined) return ending
      const isTime = now() >= overAt
      if (isComplete() || (events() > 0 && (until === undefined || isTime))) return 'answered'
      if (isTime || now() >= limitAt) return 'timeout'
      if (mayGoOn && !isDismissed) return 'answered'
      missing = events() === 0 ? 'the stream ended without an event' : 'the stream ended too early'
      return 'closed'
    }
  }
}

/** Takes down a value of what streams are measured by. */
type Measure = (name: StreamMetric, value: number) => void
