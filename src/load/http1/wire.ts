import { createPool } from '../transports/pool.ts'
import type { Transport, TransportOptions } from '../transports/transport.ts'
import { add, connect, createConnection, destroy, expire, flush } from './connection.ts'
import { type Medium, socketMedium } from './dial.ts'
import { createResponseHeadCache } from './parser.ts'

/**
 * The engine's own HTTP/1.1 transport: connections kept open, requests pipelined if asked; without
 * another medium its bytes move by sockets of Node.
 */
export function createWire(options: TransportOptions, medium?: Medium): Transport {
  const headCache = createResponseHeadCache()
  return createPool(options, {
    ...{ add, flush, connect, expire, destroy },
    create: (pool) =>
      createConnection(pool, { headCache, medium: medium ?? socketMedium(pool.buffer) }),
    offer: (connection, dispatch) => dispatch.offerAll(connection)
  })
}
