/** What the guest has for its host goes by this name until the host has taken hold of it. */
export const exposedName = '__host'

/** The owner of a turn that loads the module, and of none of its invocations. */
export const startup = -1

/**
 * Memory that host and guest share, so that the host sees what the guest is at while it spins.
 * A turn is what one message makes the guest do, with all the promises that it settles.
 */
export type SharedTurn = {
  buffer: SharedArrayBuffer
  /** The turn that is open; 0 for none, and its negative once it is condemned. */
  turn(): number
  /** Opens a turn, which has to be published last. */
  open(turn: number): void
  /** Closes a turn; false when the host has condemned it, or ended it already. */
  close(turn: number): boolean
  /** Condemns a turn, so that it cannot close any more; false when it has closed. */
  condemn(turn: number): boolean
  /** Makes an end of a turn that was condemned, and of no other that has been opened since. */
  settle(turn: number): void
  /** Blocks the guest until the host has made an end of the turn it condemned. */
  absorb(turn: number): void
  /** Messages the guest has taken. */
  taken(): number
  take(): void
  /** Whose turn it is, when on the thread's clock it began, and what he had used before. */
  owner(): { id: number; startUs: number; beforeUs: number }
  own(owner: { id: number; startUs?: number; beforeUs: number }): void
}

// The guest may not block on its own, so what blocks is kept before it is taken from it.
const { add, compareExchange, load, notify, store, wait } = Atomics

/** The host makes an end or dies long before, even where it hardly gets a processor. */
const absorbMs = 60_000

/** Opens the sharedTurn, made anew or as the other side made it. */
export function openSharedTurn(buffer = new SharedArrayBuffer(64)): SharedTurn {
  const flags = new Int32Array(buffer, 0, 2)
  const numbers = new Float64Array(buffer, 8, 3)
  return {
    buffer,
    turn: () => load(flags, 0),
    open: (turn) => void store(flags, 0, turn),
    close: (turn) => compareExchange(flags, 0, turn, 0) === turn,
    condemn: (turn) => compareExchange(flags, 0, turn, -turn) === turn,
    settle(turn) {
      compareExchange(flags, 0, -turn, 0)
      notify(flags, 0)
    },
    absorb: (turn) => void wait(flags, 0, -turn, absorbMs),
    taken: () => load(flags, 1),
    take: () => void add(flags, 1, 1),
    owner: () => ({ id: numbers[0]!, startUs: numbers[1]!, beforeUs: numbers[2]! }),
    own({ id, startUs, beforeUs }) {
      numbers[0] = id
      numbers[2] = beforeUs
      if (startUs !== undefined) numbers[1] = startUs
    }
  }
}
