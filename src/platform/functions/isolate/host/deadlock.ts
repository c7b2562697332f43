/** How far apart looks at connections that may be deadlocked are. */
export const lookMs = 25

/** So many looks in a row must have found everything as it was: a message may be on its way. */
const mostStill = 2

/** Once so many looks found the function at work, it is no longer waited for. */
const mostLooks = 40

/**
 * Makes the look to be taken whenever connections may have become deadlocked. A function at work
 * may be about to read: only what is still stuck after a while in which it did nothing is told.
 */
export function createLookout(options: {
  /** When the connections that are stuck were last used; undefined while they are not. */
  stuckSince: () => number | undefined
  /** Something that changes with whatever the function does; undefined while it is at work. */
  trace: () => string | undefined
  /** Calls back after milliseconds. */
  later: (ms: number, then: () => void) => void
  onDeadlock: () => void
}): () => void {
  const { stuckSince, trace, later, onDeadlock } = options
  let isLooking = false
  let seen: string | undefined
  let still = 0
  let looks = 0
  const wait = (since: number) =>
    later(lookMs, () => {
      const now = trace()
      still = now !== undefined && now === seen ? still + 1 : 0
      seen = now
      const isStuck = stuckSince() === since
      if (isStuck && still < mostStill && ++looks < mostLooks) return wait(since)
      isLooking = false
      if (isStuck) onDeadlock()
      look()
    })
  const look = () => {
    const since = stuckSince()
    if (isLooking || since === undefined) return
    isLooking = true
    seen = trace()
    still = 0
    looks = 0
    wait(since)
  }
  return look
}
