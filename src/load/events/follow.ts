import * as v from 'valibot'
import type { Timeline } from '../arrivals/timeline.ts'
import type { Recorder } from '../figures/recorder.ts'
import { type Ending, leftAt, type Sample, wasSent } from '../figures/sample.ts'
import type { StreamMetric } from '../figures/stream-metrics.ts'
import type { Post } from '../requests/post.ts'
import type { Request } from '../requests/request.ts'
import { type Response, responseOf } from '../requests/response.ts'
import type { ServerEvent } from './event-parser.ts'
import { eventsSchema } from './events-asked.ts'
import { createHearing, type EventsOptions, type Hearing } from './hearing.ts'

/** What came of an event stream: the last response of it, and what it held in all. */
export type EventsResponse = Response & {
  /** How many events came, and the last of them; undefined without any. */
  events: number
  last: ServerEvent | undefined
  /** How often it was asked to go on. */
  reconnects: number
  /** Milliseconds from the send to the first event; undefined without one. */
  firstMs: number | undefined
}

/** How a request can have ended after which a browser asks the stream to go on. */
const resumable: readonly Ending[] = [
  'answered',
  'closed',
  'reset',
  'refused',
  'rst_stream',
  'goaway'
]

const lasting = new WeakMap<Request, Request>()

/** The request as it asks for events; the first time worked out once of one that is frozen. */
function asking(request: Request, lastEventId: string): Request {
  if (lastEventId !== '' || !Object.isFrozen(request)) return askingFor(request, lastEventId)
  const made = lasting.get(request) ?? Object.freeze(askingFor(request, ''))
  lasting.set(request, made)
  return made
}

/** The request as it asks for events: for those after an id, where one is known. */
function askingFor({ headers = {}, ...request }: Request, lastEventId: string): Request {
  const own = Object.entries(headers).filter(
    // Bytes are counted in events as they come, and an encoding would hold them back.
    ([name]) => !/^(accept-encoding|last-event-id)$/i.test(name)
  )
  const isTyped = own.some(([name]) => /^accept$/i.test(name))
  const id = Buffer.from(lastEventId).toString('latin1')
  const isSendable = id !== '' && /^[\x20-\x7e\x80-\xff]+$/.test(id)
  return {
    ...request,
    headers: {
      ...(isTyped ? {} : { accept: 'text/event-stream' }),
      ...Object.fromEntries(own),
      ...(isSendable && { 'last-event-id': id })
    }
  }
}

/** Throws a TypeError for what cannot be asked of a stream. */
function insistOnAsked({ until, tokens, onEvent, ...plain }: EventsOptions): void {
  const asked = {
    ...plain,
    ...(typeof until !== 'function' && { until }),
    ...(typeof tokens !== 'function' && { tokens })
  }
  const { issues = [] } = v.safeParse(eventsSchema, asked)
  const [issue] = issues
  if (issue === undefined) return
  throw new TypeError(`events: ${v.getDotPath(issue) ?? 'its options'}: ${issue.message}`)
}

/** What the requests of one stream add up to, as the sample of one. */
function createWhole(due: number) {
  let begun: Pick<Sample, 'sent' | 'first'> | undefined
  const bytes = { bytesSent: 0, bytesReceived: 0 }
  return {
    /** Since when it is under way; undefined before that is known. */
    since: () => begun && leftAt({ ...begun, due }),
    /** Makes the sample of the latest request that of all so far. */
    join(sample: Sample): void {
      const { sent, first } = sample
      // A part of which nothing came had no first byte.
      if (bytes.bytesReceived === 0)
        begun = { sent: begun && wasSent(begun) ? begun.sent : sent, first }
      bytes.bytesSent += sample.bytesSent
      bytes.bytesReceived += sample.bytesReceived
      Object.assign(sample, bytes, begun, { due })
    }
  }
}

/** What one stream is followed with. */
type Followed = FollowParts & {
  request: Request
  due: number
  /** How often it may be asked to go on. */
  most: number
  hearing: Hearing
  whole: ReturnType<typeof createWhole>
  firstMs: number | undefined
}

/** Takes down when the first event came: both clocks, or how long there was none. */
function noteFirst(followed: Followed, sample: Sample): void {
  const { ending, sent, end } = sample
  const { recorder, hearing, due } = followed
  const isThere = hearing.events() > 0
  if (!isThere && ending !== 'timeout') return
  const at = isThere ? hearing.first() : end
  recorder.stream(due, 'firstEvent', Math.max(0, at - due))
  if (wasSent(sample)) recorder.stream(due, 'firstEvent.service', Math.max(0, at - sent))
  if (isThere) followed.firstMs = at - sent
}

/** Whether the stream may be asked for again after a request that ended so. */
function canGoOn(hearing: Hearing, { ending, status }: Pick<Sample, 'ending' | 'status'>): boolean {
  const isRefused = ending === 'answered' && status !== 200
  return !hearing.isOver() && resumable.includes(ending) && !isRefused
}

/** How the whole stream ended by the latest request for it; undefined where it goes on. */
function endingOf(
  { hearing, timeline, timeoutMs, most }: Followed,
  sample: Sample,
  { reconnects, limitAt }: { reconnects: number; limitAt: number }
): Ending | undefined {
  const nextAt = timeline.now() + hearing.retryMs()
  const mayGoOn = reconnects < most && nextAt < leftAt(sample) + timeoutMs
  const ending = hearing.endingOf(sample, { mayGoOn, limitAt })
  if (mayGoOn && canGoOn(hearing, { ending, status: sample.status })) return undefined
  // That nothing more comes is said by a status which is not that of the stream.
  if (ending === 'answered' && hearing.isDismissed()) sample.status = 200
  return ending
}

/** Sends the next request for it; resolves to what came of all, or undefined to go on. */
function attempt(followed: Followed, reconnects: number): Promise<Response | undefined> {
  const { post, timeline, recorder, timeoutMs, request, due, hearing, whole } = followed
  const before = hearing.events()
  // All of it is to be over in time, and not each of the requests that it takes.
  const limitAt = (whole.since() ?? Infinity) + timeoutMs
  const isLater = reconnects > 0
  const over = Promise.withResolvers<Response | undefined>()
  let goesOn = false
  post.send(asking(request, hearing.lastEventId()), isLater ? timeline.now() : due, {
    ...{ keeps: true, sink: hearing.sink(limitAt), isLater },
    endingOf(sample) {
      whole.join(sample)
      const ending = endingOf(followed, sample, { reconnects, limitAt })
      goesOn = ending === undefined
      return ending
    },
    onSample(sample) {
      const because = goesOn ? undefined : hearing.because()
      if (because !== undefined) recorder.ended(due, `${sample.ending}: ${because}`)
      if (before === 0) noteFirst(followed, sample)
      over.resolve(goesOn ? undefined : responseOf(sample))
    }
  })
  post.flush()
  return over.promise
}

/** What streams are followed with. */
type FollowParts = {
  post: Post
  timeline: Pick<Timeline, 'now' | 'after'>
  recorder: Pick<Recorder, 'stream' | 'ended'>
  timeoutMs: number
}

/** What follows streams: sends the requests they take, and says what came of each. */
export function createFollower(parts: FollowParts) {
  const { timeline, recorder } = parts
  const { now, after } = timeline
  const pause = (ms: number) => new Promise<void>((resolve) => after(ms, resolve))

  /** Follows one stream that is due then; rejects with what a function of its author's threw. */
  return async (request: Request, due: number, given: EventsOptions): Promise<EventsResponse> => {
    const options = { ...request.events, ...given }
    insistOnAsked(options)
    const measure = (name: StreamMetric, value: number) => recorder.stream(due, name, value)
    const hearing = createHearing(options, { now, measure })
    const followed: Followed = {
      ...{ ...parts, request, due, hearing, whole: createWhole(due), firstMs: undefined },
      most: options.reconnects ?? 0
    }
    for (let reconnects = 0; ; reconnects++) {
      const response = await attempt(followed, reconnects)
      const fault = hearing.fault()
      if (fault !== undefined) throw fault.cause
      if (response !== undefined) {
        hearing.close()
        const { events, last } = hearing
        const { firstMs } = followed
        return Object.assign(response, { events: events(), last: last(), reconnects, firstMs })
      }
      measure('reconnects', 1)
      await pause(hearing.retryMs())
    }
  }
}
