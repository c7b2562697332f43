import { createMeter } from '../../caps.ts'
import { Refused } from '../../engine/workforce.ts'
import type { Part } from '../../fleet/order.ts'
import { durationMs, peak } from '../../load/load.ts'
import type { Routes } from '../../route.ts'

/** What all parts of loads that this process sends at once add up to, for each authorisation. */
export type Budgets = {
  /**
   * Lets a part begin, and returns what is to be called when it is over. Throws `Refused` where it
   * would be too much together with those under way.
   */
  admit(routes: Routes, part: Pick<Part, 'load' | 'share' | 'startAt'>): () => void
}

/** How far the beginnings of one load's parts may be apart: each has asked for the time itself. */
const slackMs = 1_000

/** Budgets of which nothing is used; what begins when nothing is under way is a run of its own. */
export function createBudgets(): Budgets {
  type Going = { perSecond: number; startAt: number }
  const underWay = new Map<SharedArrayBuffer, Set<Going>>()
  return {
    admit(routes, { load, share, startAt }) {
      const going = { perSecond: peak(load.phases) / share.count, startAt }
      const all = Object.values(routes).flatMap(({ caps }) => caps ?? [])
      for (const { meter, requestsPerSecond, seconds } of all) {
        const others = [...(underWay.get(meter) ?? [])]
        const perSecond = others.reduce((sum, other) => sum + other.perSecond, going.perSecond)
        if (perSecond > requestsPerSecond * (1 + 1e-9)) {
          const total = Number(perSecond.toPrecision(3))
          throw new Refused(
            `with what is under way it would be ${total}/s, ` +
              `but the authorisation caps it at ${requestsPerSecond}/s`
          )
        }
        const began = Math.min(startAt, ...others.map((other) => other.startAt))
        if (startAt + durationMs(load.phases) > began + seconds * 1_000 + slackMs) {
          throw new Refused(
            `with what is under way it would go on for longer than the ${seconds} s ` +
              'that the authorisation allows'
          )
        }
      }
      for (const caps of all) {
        const { meter } = caps
        const others = underWay.get(meter) ?? new Set()
        if (others.size === 0) createMeter(caps).renew()
        createMeter(caps).begin(startAt)
        underWay.set(meter, others.add(going))
      }
      return () => {
        for (const { meter } of all) underWay.get(meter)!.delete(going)
      }
    }
  }
}
