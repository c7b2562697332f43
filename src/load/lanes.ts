import type { Connection } from './connection.ts'

/** The free places of all connections, taken in turn so that no connection falls idle. */
export type Lanes = {
  offer(connection: Connection): void
  /** A connection with a free place, which is free no longer; undefined without any. */
  take(): Connection | undefined
}

/** Free places of connections with `pipelining` places each; none is on offer yet. */
export function createLanes(options: { connections: number; pipelining: number }): Lanes {
  // A connection that breaks leaves its offers behind. They are counted in `offered`, so that it
  // never has more than `pipelining` of them, and passed over while it is not up.
  const places: Connection[] = Array(options.connections * options.pipelining)
  let first = 0
  let size = 0
  return {
    offer(connection) {
      if (connection.offered === options.pipelining) return
      connection.offered++
      places[(first + size) % places.length] = connection
      size++
    },
    take() {
      while (size > 0) {
        const connection = places[first]!
        first = (first + 1) % places.length
        size--
        connection.offered--
        if (connection.state === 'up') return connection
      }
      return undefined
    }
  }
}
