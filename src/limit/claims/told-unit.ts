import type { Claimed } from './claims.ts'
import type { Row } from './row.ts'

/** How far apart answers have to be that tell the unit of a time, in ms. */
const leastApartMs = 100

/** By how much a time may fall otherwise than time goes on, as a part of that and in ms. */
const off = { part: 0.2, ms: 20 }

/** A time that an answer named, and when that was. */
type Told = { claimed: Claimed; at: number }

/**
 * What learns from answers whether times without a unit are in ms: each of three in a row that are
 * some way apart is less than the one before by as many as ms went by. Such have been read as
 * seconds until then, and are set right, those before as well.
 */
export function createUnits(): { see: (row: Row) => void } {
  const seen = new Map<string, Told[]>()
  const inMs = new Set<string>()
  return {
    see({ claims, answered }) {
      for (const claimed of claims.resetMs) {
        if (!claimed.isBare) continue
        const { field } = claimed
        const own = seen.get(field) ?? []
        if (!inMs.has(field)) {
          own.push({ claimed, at: answered })
          seen.set(field, own)
          if (!fallsByMs(own)) continue
          inMs.add(field)
          for (const one of own) setRight(one.claimed)
        } else setRight(claimed)
      }
    }
  }
}

function setRight(claimed: Claimed): void {
  claimed.value /= 1_000
  claimed.text = `${claimed.text} ms`
}

/** Whether the last three that are some way apart fall by as many as ms went by. */
function fallsByMs(told: readonly Told[]): boolean {
  const last = told.at(-1)!
  const before = beforeThat(told, last)
  const first = before && beforeThat(told, before)
  return before !== undefined && first !== undefined && falls(first, before) && falls(before, last)
}

function beforeThat(told: readonly Told[], { at }: Told): Told | undefined {
  return told.findLast((one) => at - one.at >= leastApartMs)
}

function falls(one: Told, next: Told): boolean {
  const ms = next.at - one.at
  const fell = (one.claimed.value - next.claimed.value) / 1_000
  return Math.abs(fell - ms) <= off.part * ms + off.ms
}
