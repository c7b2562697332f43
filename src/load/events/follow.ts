import * as v from 'valibot'
import type { Timeline } from '../arrivals/timeline.ts'
import type { Recorder } from '../figures/recorder.ts'
import type { Ending, Sample } from '../figures/sample.ts'
import type { StreamMetric } from '../figures/stream-metrics.ts'
import type { Post } from '../requests/post.ts'
import type { Request } from '../requests/request.ts'
import { type Response, responseOf } from '../requests/response.ts'
import type { ServerEvent } from './event-parser.ts'
import { eventsSchema } from './events-asked.ts'
import { createHearing, type EventsOptions } from './hearing.ts'

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
const resumable: readonly Ending[] = ['answered', 'closed', 'reset', 'refused']

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

/** What follows streams: sends the requests they take, and says what came of each. */
export function createFollower(parts: {
  post: Post
  timeline: Pick<Timeline, 'now' | 'after'>
  recorder: Pick<Recorder, 'stream' | 'ended'>
}) {
  const { post, timeline, recorder } = parts
  const { now, after } = timeline
  const pause = (ms: number) => new Promise<void>((resolve) => after(ms, resolve))

  /** Follows one stream that is due then; rejects with what a function of its author's threw. */
  return async (request: Request, due: number, given: EventsOptions): Promise<EventsResponse> => {
    const options = { ...request.events, ...given }
    insistOnAsked(options)
    const most = options.reconnects ?? 0
    const measure = (name: StreamMetric, value: number) => recorder.stream(due, name, value)
    const hearing = createHearing(options, { now, measure })
    /** Takes down when the first event came: both clocks, or how long there was none. */
    const noteFirst = ({ ending, sent, end }: Pick<Sample, 'ending' | 'sent' | 'end'>) => {
      const isThere = hearing.events() > 0
      if (!isThere && ending !== 'timeout') return
      const at = isThere ? hearing.first() : end
      measure('firstEvent', Math.max(0, at - due))
      measure('firstEvent.service', Math.max(0, at - sent))
    }
    let firstMs: number | undefined
    const attempt = (reconnects: number) =>
      new Promise<Response>((resolve) => {
        const before = hearing.events()
        post.send(asking(request, hearing.lastEventId()), reconnects === 0 ? due : now(), {
          keeps: true,
          sink: hearing.sink(),
          endingOf: (sample) => hearing.endingOf(sample, reconnects < most),
          onSample(sample) {
            const because = hearing.because()
            if (because !== undefined) recorder.ended(due, `${sample.ending}: ${because}`)
            if (before === 0) noteFirst(sample)
            if (before === 0 && hearing.events() > 0) firstMs = hearing.first() - sample.sent
            resolve(responseOf(sample))
          }
        })
        post.flush()
      })
    const isOver = ({ ending, status }: Response, reconnects: number) =>
      reconnects >= most ||
      hearing.isOver() ||
      !resumable.includes(ending) ||
      (ending === 'answered' && status !== 200)

    for (let reconnects = 0; ; reconnects++) {
      const response = await attempt(reconnects)
      const fault = hearing.fault()
      if (fault !== undefined) throw fault.cause
      if (isOver(response, reconnects)) {
        hearing.close()
        const { events, last } = hearing
        return Object.assign(response, { events: events(), last: last(), reconnects, firstMs })
      }
      measure('reconnects', 1)
      await pause(hearing.retryMs())
    }
  }
}
