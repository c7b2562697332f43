/** The threads that work for all invocations of an instance, and whose work it is. */
export type Offloads = {
  /**
   * Takes down that one has so much more done there, or, with a negative weight, that so much is
   * done; what is lasting is done once he is over.
   */
  note(id: number, weight: number, isLasting?: boolean): void
  /** Charges what was used since the last time to those whose work is under way, by its weight. */
  settle(): void
  /** What one was charged, in microseconds. */
  usedUs(id: number): number
  /** One is over: what he was charged; what he has under way there stays on his account. */
  leave(id: number): number
}

type Share = { usedUs: number; weight: number; lasting: number; hasLeft: boolean }

/** Begins to divide what the clock of those threads says. */
export function createOffloads(clockUs: () => number): Offloads {
  const shares = new Map<number, Share>()
  let seenUs: number | undefined
  const settle = () => {
    if (shares.size === 0) return
    const nowUs = clockUs()
    const usedUs = nowUs - (seenUs ?? nowUs)
    seenUs = nowUs
    let sum = 0
    for (const { weight } of shares.values()) sum += weight
    if (sum > 0) for (const share of shares.values()) share.usedUs += (usedUs * share.weight) / sum
  }
  /** Nobody asks any more what one has used whose work is done and who is over. */
  const tidy = (id: number, { weight, hasLeft }: Share) => {
    if (!hasLeft || weight > 0) return
    shares.delete(id)
    if (shares.size === 0) seenUs = undefined
  }
  return {
    note(id, weight, isLasting = false) {
      const share = shares.get(id) ?? { usedUs: 0, weight: 0, lasting: 0, hasLeft: false }
      if (!shares.has(id) && weight < 0) return
      shares.set(id, share)
      settle()
      share.weight = Math.max(0, share.weight + weight)
      if (isLasting) share.lasting += weight
      tidy(id, share)
    },
    settle,
    usedUs: (id) => shares.get(id)?.usedUs ?? 0,
    leave(id) {
      const share = shares.get(id)
      if (!share) return 0
      settle()
      share.hasLeft = true
      share.weight = Math.max(0, share.weight - share.lasting)
      tidy(id, share)
      return share.usedUs
    }
  }
}
