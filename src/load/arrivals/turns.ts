import { type Random, shuffled } from '../../random.ts'

/** One closed load's part in turns that several take on one thread. */
export type Turn = {
  /** Takes one of the iterations of this turn; false once they are taken, or in another's. */
  take(): boolean
  isOn(): boolean
  /** Calls whenever the turn comes. */
  onBegin(call: () => void): void
  /** Everything that it took has ended: the next one has the turn. */
  pass(): void
  /** How long it was its turn so far, in milliseconds, to the last that it passed. */
  heldMs(): number
}

/** How many iterations a turn may have, and how long it is to last at most. */
export type InTurn = { fewest: number; most: number; withinMs: number }

/** Turns that begin when they are told to. */
export type Turns = { of: readonly Turn[]; begin(): void }

/**
 * So many loads that take turns, in rounds of an order that chance decides. What disturbs a machine
 * for longer than a turn then disturbs them alike: of two copies of a server on a busy machine the
 * medians of 128 requests were 1.6 % apart where each turn was one request, and 11 % where it was
 * all of them. A turn has `most` iterations, or as many fewer as take longer than `withinMs`, by
 * those before; but the fewest, with which it begins.
 */
export function createTurns(
  count: number,
  { iterations, next, now }: { iterations: InTurn; next: Random; now: () => number }
): Turns {
  const calls: (() => void)[] = []
  const heldMs = Array.from({ length: count }, () => 0)
  let round: number[] = []
  let on: number | undefined
  let left = 0
  let since = 0
  let each = iterations.fewest
  let taken = 0
  const fitting = () => {
    const tookMs = heldMs.reduce((sum, ms) => sum + ms, 0)
    const { fewest, most, withinMs } = iterations
    return Math.max(fewest, Math.min(most, Math.floor((withinMs * taken) / tookMs) || fewest))
  }
  const begin = () => {
    if (round.length === 0) {
      round = shuffled([...heldMs.keys()], next)
      each = fitting()
    }
    on = round.shift()!
    left = each
    since = now()
    calls[on]?.()
  }
  const turnOf = (at: number): Turn => ({
    take: () => on === at && left-- > 0,
    isOn: () => on === at,
    onBegin(call) {
      calls[at] = call
    },
    pass() {
      if (on !== at) return
      heldMs[at]! += now() - since
      taken += each
      begin()
    },
    heldMs: () => heldMs[at]!
  })
  return { of: heldMs.map((_, at) => turnOf(at)), begin }
}
