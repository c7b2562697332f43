import { createMeter } from '../../caps.ts'
import type { Clock } from '../../clock.ts'
import { type Routes, routeTo } from '../../route.ts'
import type { Timeline } from '../arrivals/timeline.ts'
import type { Metrics } from '../figures/metrics.ts'
import type { Recorder } from '../figures/recorder.ts'
import { createSample, type Sample } from '../figures/sample.ts'
import { type StreamMetric, socketCounts } from '../figures/stream-metrics.ts'
import { addressOf, type DialAddress, type Medium, socketMedium } from '../http1/dial.ts'
import { isSocket, originOf, type Request } from '../requests/request.ts'
import { slackMs } from '../transports/cap-guard.ts'
import { countFailed } from '../transports/cause.ts'
import { type Connections, noConnections } from '../transports/transport.ts'
import type { SocketMessage } from './message-inbox.ts'
import { downText, isBroken, type LineDown, openLine, type SocketLine } from './socket-line.ts'
import { type AskedSocket, createSession, type SocketSession } from './socket-session.ts'

/** How an iteration opens a WebSocket. */
export type SocketOptions = {
  /** Offers to pack messages (permessage-deflate). Default: false. */
  compress?: boolean
  /** Bytes of a message, unpacked, that are taken at most. Default: 16 MiB. */
  maxBytes?: number
  /** Hears of every message as it comes. */
  onMessage?: (message: SocketMessage) => void
}

/** What the WebSockets of a trial are opened with. */
export type SocketParts = {
  routes: Routes | undefined
  verifyTls: boolean
  timeoutMs: number
  clock: Clock
  timeline: Timeline
  recorder: Recorder
  metrics: Metrics
}

/** Opens the WebSockets of one trial, and ends those that are left of it. */
export type Sockets = {
  /**
   * Opens one, and counts how that ended; `nextDue` says when the next thing of its iteration is
   * due. Rejects with a TypeError for what is no WebSocket's.
   */
  open(request: Request, nextDue: () => number, options: SocketOptions): Promise<SocketSession>
  connections(): Connections
  close(): void
}

const bufferBytes = 64 * 1_024

/** Whether one more may be sent, at once where nothing is capped; waits until it may. */
function createLeave(clock: Clock, caps: Parameters<typeof createMeter>[0] | undefined) {
  if (caps === undefined) return () => true as const
  const meter = createMeter(caps)
  return async () => {
    while (!meter.take(clock.now(), slackMs)) {
      const free = meter.freeAt(clock.now(), slackMs)
      if (free === Infinity) return false
      await clock.until(Math.max(free, clock.now() + 1))
    }
    return true
  }
}

/** What all WebSockets of a trial share. */
type Shared = SocketParts & {
  medium: Medium
  counts: Connections
  /** Those that are not down. */
  lines: Set<SocketLine>
}

/** One WebSocket that is to be opened. */
type Opening = {
  request: Request
  options: SocketOptions
  nextDue: () => number
  address: DialAddress
  mayLeave: () => true | Promise<boolean>
  due: number
  sent: number
}

function count({ recorder }: Shared, told: Partial<Sample>): void {
  recorder.record(Object.assign(createSample(), told))
}

/** Counts how a handshake ended, and makes a session of it. */
function sessionOf(shared: Shared, opening: Opening, told: Pick<LineDown, 'ending' | 'status'>) {
  const { recorder, metrics, timeline, timeoutMs } = shared
  const { request, options, nextDue, mayLeave, due, sent } = opening
  const at = timeline.now()
  const status = told.ending === 'answered' ? told.status : 0
  const route = metrics.routeNumber(request.route)
  count(shared, { ending: told.ending, status, route, due, sent, first: at, end: at })
  const parts = {
    ...{ timeline, timeoutMs, nextDue, mayLeave, onMessage: options.onMessage },
    measure: (name: StreamMetric, value: number) => recorder.stream(due, name, value),
    onFault: (cause: unknown) => recorder.fault(cause, due),
    onAsked(asked: AskedSocket, named: string | undefined) {
      const answered = asked.ending === 'answered' ? 101 : 0
      recorder.begin(asked.due)
      const which = { status: answered, route: metrics.routeNumber(named) }
      count(shared, { ...asked, ...which, first: asked.end })
    }
  }
  return createSession(parts, { ending: told.ending, status })
}

/** Takes down that a WebSocket is open; what may happen to it later is 0 so far. */
function noteOpen({ counts, metrics, recorder, timeline }: Shared, { due, sent }: Opening): void {
  counts.opened++
  counts.protocol = 'WebSocket'
  metrics.recordConnect(timeline.now() - sent)
  for (const name of socketCounts) recorder.stream(due, name, name === 'sockets' ? 1 : 0)
}

/** Dials, and resolves to a session when the handshake is over, in whatever way. */
function dialled(shared: Shared, opening: Opening): Promise<SocketSession> {
  const { counts, lines, medium, recorder, timeline, timeoutMs } = shared
  const { request, options, address, due } = opening
  const opened = Promise.withResolvers<SocketSession>()
  let made: ReturnType<typeof sessionOf> | undefined
  const fail = (told: LineDown) => {
    lines.delete(line)
    const ending = told.ending === 'answered' ? 'refused' : told.ending
    if (told.ending === 'answered') recorder.ended(due, downText(told)!)
    countFailed(counts, ending, { address, error: told.error })
    made = sessionOf(shared, opening, told)
    opened.resolve(made.session)
  }
  const line = openLine(request, {
    ...{
      address,
      medium,
      now: timeline.now,
      compress: options.compress,
      maxBytes: options.maxBytes
    },
    ears: {
      onUp() {
        noteOpen(shared, opening)
        made = sessionOf(shared, opening, { ending: 'answered', status: 101 })
        made.attach(line)
        opened.resolve(made.session)
      },
      onMessage: (bytes, isBinary) => made!.hear.message(bytes, isBinary),
      onDown(told) {
        if (made === undefined) return fail(told)
        lines.delete(line)
        if (isBroken(told)) {
          counts.lost++
          recorder.stream(due, 'brokenSockets', 1)
          const how = downText(told)
          if (how !== undefined) recorder.ended(due, how)
        }
        made.hear.down(told)
      }
    }
  })
  lines.add(line)
  timeline.after(timeoutMs, () => {
    if (made !== undefined) return
    line.destroy()
    fail({ ending: 'timeout', status: 0 })
  })
  return opened.promise
}

/** Makes what opens the WebSockets of a trial. */
export type MakeSockets = (parts: SocketParts) => Sockets

/** Opens WebSockets for the iterations of a trial. */
export const createSockets: MakeSockets = (parts) => {
  const { routes, verifyTls, clock, timeline, recorder } = parts
  const shared: Shared = {
    ...parts,
    medium: socketMedium(Buffer.allocUnsafeSlow(bufferBytes)),
    counts: noConnections(),
    lines: new Set()
  }
  return {
    async open(request, nextDue, options) {
      if (!isSocket(request)) throw new TypeError(`socket: "${request.url}" is no ws: or wss: URL`)
      const origin = originOf(request)
      const route = routeTo(origin, routes)
      const mayLeave = createLeave(clock, route.caps)
      const due = nextDue()
      recorder.begin(due)
      const leave = mayLeave()
      const isAllowed = leave === true || (await leave)
      const address = addressOf(origin, { route, verifyTls })
      const opening = { request, options, nextDue, address, mayLeave, due, sent: timeline.now() }
      if (isAllowed) return dialled(shared, opening)
      return sessionOf(shared, opening, { ending: 'withheld', status: 0 }).session
    },
    connections: () => structuredClone(shared.counts),
    close() {
      for (const line of shared.lines) line.leave()
      shared.lines.clear()
    }
  }
}
