import { createSample, type Ending } from '../figures/sample.ts'
import { countFailed } from '../transports/cause.ts'
import { createDispatch } from '../transports/dispatch.ts'
import { noConnections, type Transport, type TransportOptions } from '../transports/transport.ts'
import { add, type Connection, type ConnectionPool, createConnection, flush } from './connection.ts'
import { addressOf } from './dial.ts'
import { createResponseHeadCache } from './parser.ts'
import { createReconnector } from './reconnector.ts'

const bufferBytes = 64 * 1_024

/** The engine's own HTTP/1.1 transport: sockets kept open, requests pipelined if asked. */
export function createWire(options: TransportOptions): Transport {
  const [sample, counts] = [createSample(), noConnections()]
  const dispatch = createDispatch<Connection>({ ...options, sample, add, flush })
  const flushNow = () => dispatch.flush(options.now())
  let lastEnding: Ending = 'refused'
  const pool: ConnectionPool = {
    ...options,
    address: addressOf(options.origin, options),
    buffer: Buffer.allocUnsafeSlow(bufferBytes),
    headCache: createResponseHeadCache(),
    sample,
    onUp(connection, tookMs) {
      counts.opened++
      options.onConnect(tookMs)
      dispatch.offerAll(connection)
      flushNow()
      reconnector.settle(connection)
    },
    onFailed(connection, ending, since, error) {
      countFailed(counts, ending, { address: pool.address, error })
      lastEnding = ending
      reconnector.renew(connection)
      // Each connection stands for its share of those who wait for one.
      const most = Math.ceil(dispatch.waiting.size() / options.connections)
      dispatch.giveUp(ending, { dueBy: since, most })
      flushNow()
      reconnector.settle(connection)
    },
    onLost(connection, ending) {
      counts.lost++
      lastEnding = ending
      reconnector.renew(connection)
      flushNow()
    },
    onFree: dispatch.offer,
    onFinished: (minor) => {
      if (sample.ending === 'answered') counts.protocol = minor === 1 ? 'HTTP/1.1' : 'HTTP/1.0'
      options.onSample(sample)
    },
    onUnsolicited: () => void counts.unsolicited++,
    onUnsent: ({ prepared, due, token }) => dispatch.waiting.putBack(prepared, due, token),
    // To read the clock again for what is sent in reply would cost more than the difference.
    onRead: dispatch.flush
  }
  const reconnector = createReconnector({
    connections: Array.from({ length: options.connections }, () => createConnection(pool)),
    timeoutMs: options.timeoutMs,
    onSweep() {
      // Without any connection, what last became of one is why this request has none.
      const ending = reconnector.isHopeless() ? lastEnding : 'timeout'
      dispatch.giveUp(ending, { dueBy: options.now() - options.timeoutMs, most: Infinity })
      flushNow()
    }
  })
  return {
    open: reconnector.open,
    send: dispatch.send,
    flush: flushNow,
    connections: () => structuredClone(counts),
    close() {
      for (const part of [dispatch, reconnector]) part.close()
    }
  }
}
