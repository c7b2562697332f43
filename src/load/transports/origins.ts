import { mergeConnections, type Transport } from './transport.ts'

/**
 * A transport that carries requests to any number of origins, with a transport of its own for each.
 */
export function createOrigins(
  make: (origin: string) => Transport,
  known: readonly string[]
): Transport {
  const transports = new Map(known.map((origin) => [origin, make(origin)]))
  const all = () => [...transports.values()]
  const transportTo = (origin: string) => {
    const found = transports.get(origin)
    if (found !== undefined) return found
    const made = make(origin)
    transports.set(origin, made)
    void made.open()
    return made
  }
  return {
    open: async () => void (await Promise.all(all().map((transport) => transport.open()))),
    send: (prepared, due, token) => transportTo(prepared.origin).send(prepared, due, token),
    flush() {
      for (const transport of transports.values()) transport.flush()
    },
    connections: () => mergeConnections(all().map((transport) => transport.connections())),
    close() {
      for (const transport of transports.values()) transport.close()
    }
  }
}
