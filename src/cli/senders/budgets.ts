import { type Caps, createMeter } from '../../caps.ts'
import { Refused } from '../../engine/load-worker.ts'
import { durationMs, type Load, peak } from '../../load/load.ts'
import type { Share } from '../../load/share.ts'
import type { Routes } from '../../route.ts'

/** A part of a load that is about to be sent. */
export type Part = { load: Load; share: Share; startAt: number }

/** Somebody who keeps connections to where routes lead. */
export type Stay = {
  /**
   * Lets a part of a load begin, and returns what is to be called when it is over. Throws `Refused`
   * where it would be too much together with those under way.
   */
  admit(part: Part): () => void
  /** Ends the stay. */
  leave(): void
}

/** What all parts of loads that this process sends at once add up to, for each authorisation. */
export type Budgets = { enter(routes: Routes): Stay }

/** How far the beginnings of one load's parts may be apart: each has asked for the time itself. */
const slackMs = 1_000

/** What is known of an authorisation: who stays, since when is sent, and what is under way. */
type Account = { stays: number; beganAt: number; going: Set<{ perSecond: number }> }

type Own = { caps: Caps; account: Account }

/** Throws `Refused` where a part would be too much, or last too long, for one of these accounts. */
function insist(perSecond: number, { load, startAt }: Part, own: readonly Own[]): void {
  for (const { caps, account } of own) {
    const { requestsPerSecond, seconds } = caps
    const all = [...account.going].reduce((sum, other) => sum + other.perSecond, perSecond)
    if (all > requestsPerSecond * (1 + 1e-9)) {
      throw new Refused(
        `with what is under way it would be ${Number(all.toPrecision(3))}/s, ` +
          `but the authorisation caps it at ${requestsPerSecond}/s`
      )
    }
    const began = Math.min(startAt, account.beganAt)
    if (startAt + durationMs(load.phases) > began + seconds * 1_000 + slackMs) {
      throw new Refused(
        `with what was sent before it would go on for longer than the ${seconds} s ` +
          'that the authorisation allows'
      )
    }
  }
}

/** Budgets of which nothing is used; who enters when nobody stays begins a run of its own. */
export function createBudgets(): Budgets {
  const accounts = new Map<SharedArrayBuffer, Account>()
  const accountOf = (caps: Caps): Own => {
    const found = accounts.get(caps.meter)
    const account = found ?? { stays: 0, beganAt: Infinity, going: new Set() }
    accounts.set(caps.meter, account)
    if (account.stays++ === 0) {
      createMeter(caps).renew()
      account.beganAt = Infinity
    }
    return { caps, account }
  }
  return {
    enter(routes) {
      const own = Object.values(routes).flatMap(({ caps }) => (caps ? accountOf(caps) : []))
      let isOver = false
      return {
        admit(part) {
          const going = { perSecond: peak(part.load.phases) / part.share.count }
          insist(going.perSecond, part, own)
          for (const { caps, account } of own) {
            createMeter(caps).begin(part.startAt)
            account.beganAt = Math.min(part.startAt, account.beganAt)
            account.going.add(going)
          }
          return () => {
            for (const { account } of own) account.going.delete(going)
          }
        },
        leave() {
          if (isOver) return
          isOver = true
          for (const { account } of own) account.stays--
        }
      }
    }
  }
}
