import { createPool } from '../transports/pool.ts'
import type { Transport, TransportOptions } from '../transports/transport.ts'
import { add, connect, createConnection, destroy, expire, flush } from './connection.ts'
import { createResponseHeadCache } from './parser.ts'

/** The engine's own HTTP/1.1 transport: sockets kept open, requests pipelined if asked. */
export function createWire(options: TransportOptions): Transport {
  const headCache = createResponseHeadCache()
  return createPool(options, {
    ...{ add, flush, connect, expire, destroy },
    create: (pool) => createConnection(pool, headCache),
    offer: (connection, dispatch) => dispatch.offerAll(connection)
  })
}
