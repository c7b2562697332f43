import { type Prepared, type Request, sharesOf } from '../requests/request.ts'
import { mergeConnections, type Transport } from './transport.ts'

/**
 * A transport that carries requests to any number of origins, with a transport of its own for each;
 * those that are known are made at once.
 */
export function createOrigins(
  make: (request: Request) => Transport,
  known: readonly Request[]
): Transport {
  const transports = new Map(known.map((request) => [sharesOf(request), make(request)]))
  const all = () => [...transports.values()]
  const transportTo = ({ shares, request }: Prepared) => {
    const found = transports.get(shares)
    if (found !== undefined) return found
    const made = make(request)
    transports.set(shares, made)
    void made.open()
    return made
  }
  return {
    open: async () => void (await Promise.all(all().map((transport) => transport.open()))),
    send: (prepared, due, token) => transportTo(prepared).send(prepared, due, token),
    flush() {
      for (const transport of transports.values()) transport.flush()
    },
    connections: () => mergeConnections(all().map((transport) => transport.connections())),
    close() {
      for (const transport of transports.values()) transport.close()
    }
  }
}
