/** How long nothing must have moved before open connections are held to be deadlocked. */
export const stillMs = 25

/** Once so many looks in a row found the function at work, it is no longer waited for. */
const patience = 40

/**
 * Makes the look to be taken whenever connections may have become deadlocked. A function at work
 * may be about to read: only what is still stuck after a while in which it did nothing is told.
 */
export function createLookout(options: {
  /** When the connections that are stuck were last used; undefined while they are not. */
  stuckSince: () => number | undefined
  /** Something that changes whenever the function does anything. */
  trace: () => string
  /** Calls back after milliseconds. */
  later: (ms: number, then: () => void) => void
  onDeadlock: () => void
}): () => void {
  const { stuckSince, trace, later, onDeadlock } = options
  let isLooking = false
  const look = () => {
    const since = stuckSince()
    if (isLooking || since === undefined) return
    isLooking = true
    wait({ since, seen: trace(), looks: 0 })
  }
  const wait = ({ since, seen, looks }: { since: number; seen: string; looks: number }) =>
    later(stillMs, () => {
      const isStill = trace() === seen || looks === patience
      if (stuckSince() === since && !isStill)
        return wait({ since, seen: trace(), looks: looks + 1 })
      isLooking = false
      if (stuckSince() === since) onDeadlock()
      look()
    })
  return look
}
