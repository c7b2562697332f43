import { createConnection, type Pool } from './connection.ts'
import { addressOf } from './dial.ts'
import { createDispatch } from './dispatch.ts'
import { createSample, type Ending, type Sample } from './sample.ts'
import { noConnections, type Transport, type TransportOptions } from './transport.ts'
import { createUpkeep } from './upkeep.ts'
import type { Flight, Waiting } from './waiting.ts'

const bufferBytes = 64 * 1_024

/** The engine's own HTTP/1.1 transport: sockets kept open, requests pipelined if asked. */
export function createWire(options: TransportOptions): Transport {
  const dispatch = createDispatch(options)
  const sample = createSample()
  const counts = noConnections()
  const pool: Pool = {
    address: addressOf(options.origin, options),
    pipelining: options.pipelining,
    now: options.now,
    buffer: Buffer.allocUnsafeSlow(bufferBytes),
    sample,
    onUp(connection, tookMs) {
      counts.opened++
      options.onConnect(tookMs)
      dispatch.offerAll(connection)
      dispatch.flush()
      upkeep.settle()
    },
    onFailed(connection, ending, since) {
      counts.failed[ending] = (counts.failed[ending] ?? 0) + 1
      upkeep.renew(connection)
      failWaiting({ waiting: dispatch.waiting, all: upkeep.isHopeless(), since }, (flight) => {
        options.onSample(unsent(sample, { flight, ending, end: options.now() }))
      })
      dispatch.flush()
      upkeep.settle()
    },
    onLost(connection) {
      counts.lost++
      upkeep.renew(connection)
      dispatch.flush()
    },
    onFree: dispatch.offer,
    onFinished: (minor) => {
      if (sample.ending === 'answered') counts.protocol = minor === 1 ? 'HTTP/1.1' : 'HTTP/1.0'
      options.onSample(sample)
    },
    onUnsolicited: () => void counts.unsolicited++,
    onUnsent: ({ prepared, due, token }) => dispatch.waiting.putBack(prepared, due, token),
    onRead: dispatch.flush
  }
  const all = Array.from({ length: options.connections }, () => createConnection(pool))
  const upkeep = createUpkeep({ connections: all, timeoutMs: options.timeoutMs })
  const { open, close } = upkeep
  const { send, flush } = dispatch
  return { open, send, flush, connections: () => structuredClone(counts), close }
}

/**
 * Fails what waited for the attempt that came to nothing: the request that has waited longest or,
 * when no attempt is left that could help the others, all that were there when this one began.
 */
function failWaiting(
  { waiting, all, since }: { waiting: Waiting; all: boolean; since: number },
  fail: (flight: Flight) => void
): void {
  const first = waiting.take()
  if (first !== undefined) fail(first)
  // What a failure makes its user ask next comes at the end of the line, and is not failed again.
  for (let left = all ? waiting.size() : 0; left > 0 && waiting.peek()!.due <= since; left--) {
    fail(waiting.take()!)
  }
}

/** The sample of a request that never got as far as a connection. */
function unsent(
  sample: Sample,
  { flight, ending, end }: { flight: Flight; ending: Ending; end: number }
): Sample {
  const { prepared, due, token } = flight
  const times = { due, sent: due, first: end, end }
  const nothing = { bytesSent: 0, bytesReceived: 0, headers: undefined, body: undefined }
  return Object.assign(sample, { ending, status: 0, token, route: prepared.route }, times, nothing)
}
