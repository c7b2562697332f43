/** Something that carries requests: a connection, or a client that makes connections itself. */
export type Carrier = {
  state: 'down' | 'connecting' | 'up'
  /**
   * Notes of those who use it: how many places it has on offer, and whether it is to be flushed.
   */
  offered: number
  isDirty: boolean
}

/** The free places of all carriers, taken in turn so that none of them falls idle. */
export type FreeSlots<Kind extends Carrier> = {
  offer(carrier: Kind): void
  offerAll(carrier: Kind): void
  /** A carrier with a free place, which is free no longer; undefined without any. */
  take(): Kind | undefined
}

/** Free places of carriers with `pipelining` places each; none is on offer yet. */
export function createFreeSlots<Kind extends Carrier>(options: {
  connections: number
  pipelining: number
}): FreeSlots<Kind> {
  // A carrier that breaks leaves its offers behind. They are counted in `offered`, so that it never
  // has more than `pipelining` of them, and passed over while it is not up.
  const places: Kind[] = Array(options.connections * options.pipelining)
  let first = 0
  let size = 0
  const offer = (carrier: Kind) => {
    if (carrier.offered === options.pipelining) return
    carrier.offered++
    const last = first + size++
    places[last < places.length ? last : last - places.length] = carrier
  }
  return {
    offer,
    offerAll(carrier) {
      while (carrier.offered < options.pipelining) offer(carrier)
    },
    take() {
      while (size > 0) {
        const carrier = places[first]!
        first = first + 1 === places.length ? 0 : first + 1
        size--
        carrier.offered--
        if (carrier.state === 'up') return carrier
      }
      return undefined
    }
  }
}
