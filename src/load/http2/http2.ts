import { createPool } from '../transports/pool.ts'
import type { Transport, TransportOptions } from '../transports/transport.ts'
import { connect, createHttp2Connection } from './connect.ts'
import { destroy, offerFree } from './connection.ts'
import { add, expire, flush } from './traffic.ts'

/** The engine's own HTTP/2 transport: sockets kept open, a stream for each request. */
export function createHttp2(options: TransportOptions): Transport {
  return createPool(options, {
    ...{ add, flush, connect, expire, destroy, offer: offerFree },
    create: createHttp2Connection
  })
}
