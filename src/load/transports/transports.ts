import type { Made } from '../link.ts'
import type { TransportName } from './transport.ts'

/** The ways to send, by name. */
export type Transports = Record<TransportName, () => Promise<Made>>

/** All the ways to send there are; each is loaded when it is first asked for. */
export const transports: Transports = {
  http1: async () => ({ make: await (await import('../uring/uring.ts')).loadHttp1() }),
  wire: async () => ({ make: (await import('../http1/wire.ts')).createWire }),
  uring: async () => ({ make: await (await import('../uring/uring.ts')).loadUring() }),
  http2: async () => ({ make: (await import('../http2/http2.ts')).createHttp2 }),
  undici: async () => ({ make: (await import('./undici.ts')).createUndici }),
  autocannon: async () => ({ link: (await import('./autocannon.ts')).createAutocannon })
}
