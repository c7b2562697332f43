/** How much may come at once, and how much then comes back each second. */
export type Rate = { burst: number; perSecond: number }

/**
 * A budget for each name: a function that takes one from it, and tells whether there was one. Full
 * budgets are forgotten, so memory is bounded by how many names were busy within a refill.
 */
export function allowance({ burst, perSecond }: Rate): (name: string, nowMs: number) => boolean {
  const budgets = new Map<string, { left: number; atMs: number }>()
  const refillMs = (burst / perSecond) * 1_000
  let sweptMs = -Infinity
  return (name, nowMs) => {
    if (nowMs - sweptMs > refillMs) {
      for (const [other, { atMs }] of budgets) if (nowMs - atMs > refillMs) budgets.delete(other)
      sweptMs = nowMs
    }
    const { left, atMs } = budgets.get(name) ?? { left: burst, atMs: nowMs }
    const now = Math.min(burst, left + ((nowMs - atMs) / 1_000) * perSecond)
    const isThere = now >= 1
    budgets.set(name, { left: isThere ? now - 1 : now, atMs: nowMs })
    return isThere
  }
}
