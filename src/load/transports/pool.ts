import { countKind } from '../figures/counts.ts'
import { createSample, type Ending } from '../figures/sample.ts'
import { addressOf } from '../http1/dial.ts'
import { type Backoff, createBackoff } from './backoff.ts'
import { countFailed } from './cause.ts'
import { createDispatch, type Dispatch } from './dispatch.ts'
import type { ConnectionKind, ConnectionPool, Pooled } from './pooled.ts'
import { createReconnector, type Reconnector } from './reconnector.ts'
import {
  type Connections,
  noConnections,
  type Transport,
  type TransportOptions
} from './transport.ts'

const bufferBytes = 64 * 1_024

/** What the connections of a pool share, and whom they tell. */
type Parts<Connection extends Pooled> = {
  kind: ConnectionKind<Connection>
  dispatch: Dispatch<Connection>
  /** Made with the connections, which are made with the pool. */
  reconnector: () => Reconnector<Connection>
  /** Connections that are left alone for a while. */
  rests: Backoff
  counts: Connections
  /** What last became of a connection. */
  last: { ending: Ending }
  flushNow: () => void
}

function poolOf<Connection extends Pooled>(
  options: TransportOptions,
  { kind, dispatch, reconnector, rests, counts, last, flushNow }: Parts<Connection>
): ConnectionPool<Connection> {
  const address = addressOf(options.origin, options)
  const sample = createSample()
  // Each connection stands for its share of those who wait for one.
  const shareOf = (waiting: number) => Math.ceil(waiting / options.connections)
  return {
    ...options,
    address,
    buffer: Buffer.allocUnsafeSlow(bufferBytes),
    sample,
    onUp(connection, tookMs) {
      counts.opened++
      options.onConnect(tookMs)
      kind.offer(connection, dispatch)
      flushNow()
      reconnector().settle(connection)
    },
    onFailed(connection, ending, since, error) {
      countFailed(counts, ending, { address, error })
      last.ending = ending
      reconnector().renew(connection)
      dispatch.giveUp(ending, { dueBy: since, most: shareOf(dispatch.waiting.size()) })
      flushNow()
      reconnector().settle(connection)
    },
    onLost(connection, ending) {
      if (!connection.isLeft) counts.lost++
      last.ending = ending
      reconnector().renew(connection)
      flushNow()
    },
    onFree: dispatch.offer,
    onFinished(protocol) {
      if (sample.ending === 'answered') counts.protocol = protocol
      options.onSample(sample)
    },
    onEnded(how) {
      counts.ends ??= {}
      countKind(counts.ends, how)
    },
    onRefused(connection, { times, ending, dueBy, rested }) {
      last.ending = ending
      dispatch.giveUp(ending, { dueBy, most: shareOf(dispatch.waiting.size()) })
      rests.retry(times, () => {
        rested()
        if (connection.state === 'up') kind.offer(connection, dispatch)
        flushNow()
      })
    },
    onStream: (name, value, due) => options.onStream?.(name, value, due),
    onUnsolicited: () => void counts.unsolicited++,
    onUnsent: ({ prepared, due, token }) => dispatch.waiting.putBack(prepared, due, token),
    // To read the clock again for what is sent in reply would cost more than the difference.
    onRead: dispatch.flush
  }
}

/** A transport over connections of that kind, which are kept made. */
export function createPool<Connection extends Pooled>(
  options: TransportOptions,
  kind: ConnectionKind<Connection>
): Transport {
  const { now, timeoutMs } = options
  const { add, flush } = kind
  const counts = noConnections()
  const last: { ending: Ending } = { ending: 'refused' }
  const dispatch = createDispatch<Connection>({ ...options, sample: createSample(), add, flush })
  const flushNow = () => dispatch.flush(now())
  const rests = createBackoff()
  const pool = poolOf<Connection>(options, {
    ...{ kind, dispatch, rests, counts, last, flushNow },
    reconnector: () => reconnector
  })
  const reconnector: Reconnector<Connection> = createReconnector<Connection>({
    ...kind,
    connections: Array.from({ length: options.connections }, () => kind.create(pool)),
    timeoutMs,
    onSweep() {
      // Without any connection, what last became of one is why this request has none.
      const ending = reconnector.isHopeless() ? last.ending : 'timeout'
      dispatch.giveUp(ending, { dueBy: now() - timeoutMs, most: Infinity })
      flushNow()
    }
  })
  return {
    open: reconnector.open,
    send: dispatch.send,
    flush: flushNow,
    connections: () => structuredClone(counts),
    close() {
      for (const part of [dispatch, rests, reconnector]) part.close()
    }
  }
}
