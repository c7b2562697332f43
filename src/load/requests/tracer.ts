import { randomBytes } from 'node:crypto'
import { type Random, random } from '../../random.ts'
import type { Sample } from '../figures/sample.ts'
import type { Transport } from '../transports/transport.ts'
import { isSocket, methodOf, type Prepared, prepare, type Request } from './request.ts'

/** So many requests of one load are kept at most: those that took longest from when they left. */
export const mostTraced = 100

/** A request that carried a trace's context, and what came of it; times as in its sample. */
export type Traced = Pick<
  Sample,
  'ending' | 'status' | 'due' | 'sent' | 'first' | 'end' | 'bytesSent' | 'bytesReceived'
> & {
  /** As `traceparent` has them: 32 and 16 hexadecimal digits. */
  traceId: string
  spanId: string
  method: string
  /** Without its query, which may let somebody in. */
  url: string
  route?: string
}

/** Has some requests of a load carry a trace's context, and keeps the slowest of these. */
export type Tracer = {
  /** The same way to send, by which some requests leave with a `traceparent`. */
  through<Way extends Pick<Transport, 'send'>>(way: Way): Way
  /** Takes in how a request ended; what is not to be measured is forgotten. */
  end(sample: Sample, isMeasured: boolean): void
  /** The slowest so far, slowest first. */
  slowest(): Traced[]
}

/** How long a request took from when it left, in milliseconds. */
export const tookMs = ({ sent, end }: Pick<Traced, 'sent' | 'end'>) => end - sent

/** The slowest of these, slowest first, and at most `mostTraced` of them. */
export function slowestOf(all: readonly Traced[]): Traced[] {
  return [...all].sort((one, other) => tookMs(other) - tookMs(one)).slice(0, mostTraced)
}

/** How many requests leave before the next that is traced, where `share` of all are. */
function gapOf(share: number, next: Random): number {
  return share >= 1 ? 0 : Math.floor(Math.log(1 - next()) / Math.log(1 - share))
}

const carries = ({ headers = {} }: Request) =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'traceparent')

type Context = Pick<Traced, 'traceId' | 'spanId'>

/** The same request with the context of a trace in it, which whoever answers is to record. */
function within({ traceId, spanId }: Context, { request, route, keeps, sink }: Prepared): Prepared {
  const traceparent = `00-${traceId}-${spanId}-01`
  const headers = { ...request.headers, traceparent }
  return prepare({ ...request, headers }, { route, keeps, sink })
}

/**
 * A tracer of `share` of the requests, by chance from the seed: every n-th would be the same one
 * again and again where several are sent in turn. The ids are never those of another load. What is
 * given a `traceparent` by the scenario, and messages over WebSockets, are left as they are.
 */
export function createTracer(share: number, seed: number): Tracer {
  const next = random(seed, 'traced')
  const underWay = new Map<number, Context & { request: Request }>()
  let kept: Traced[] = []
  let left = gapOf(share, next)
  const isDue = ({ request }: Prepared) => {
    if (left-- > 0) return false
    left = gapOf(share, next)
    return !isSocket(request) && !carries(request)
  }
  return {
    through: (way) => ({
      ...way,
      send(prepared, due, token) {
        if (!isDue(prepared)) return way.send(prepared, due, token)
        const ids = randomBytes(24).toString('hex')
        const context = { traceId: ids.slice(0, 32), spanId: ids.slice(32) }
        underWay.set(token, { ...context, request: prepared.request })
        way.send(within(context, prepared), due, token)
      }
    }),
    end(sample, isMeasured) {
      if (underWay.size === 0) return
      const found = underWay.get(sample.token)
      if (found === undefined) return
      underWay.delete(sample.token)
      const { ending, status, due, sent, first, end, bytesSent, bytesReceived } = sample
      // What never left was nobody's to record.
      if (!isMeasured || bytesSent === 0) return
      const { request, ...context } = found
      const { origin, pathname } = new URL(request.url)
      kept.push({
        ...{ ending, status, due, sent, first, end, bytesSent, bytesReceived, ...context },
        ...{ method: methodOf(request), url: `${origin}${pathname}`, route: request.route }
      })
      // Sorted now and then: a load may trace everything.
      if (kept.length >= 10 * mostTraced) kept = slowestOf(kept)
    },
    slowest: () => slowestOf(kept)
  }
}
