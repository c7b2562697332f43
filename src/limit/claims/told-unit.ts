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
 * seconds until then, and are set right, those before as well. Those that fall by as many as
 * seconds went by are in seconds.
 */
export function createUnits(): { see: (row: Row) => void } {
  const seen = new Map<string, Told[]>()
  const known = new Map<string, (claimed: Claimed) => void>()
  return {
    see({ claims, answered }) {
      for (const claimed of claims.resetMs.filter(({ isBare }) => isBare)) {
        const { field } = claimed
        const own = seen.get(field) ?? []
        own.push({ claimed, at: answered })
        seen.set(field, own)
        const isNew = !known.has(field)
        const learnt = known.get(field) ?? unitOf(own)
        if (!learnt) continue
        known.set(field, learnt)
        for (const one of isNew ? own : own.slice(-1)) learnt(one.claimed)
      }
    }
  }
}

/** What sets a time right, where answers show its unit. */
function unitOf(told: readonly Told[]): ((claimed: Claimed) => void) | undefined {
  if (fallsByMs(told)) return inMs
  return fallsBySeconds(told) ? inSeconds : undefined
}

function inMs(claimed: Claimed): void {
  claimed.value /= 1_000
  claimed.text = `${claimed.text} ms`
  delete claimed.isBare
}

function inSeconds(claimed: Claimed): void {
  delete claimed.isBare
}

/** How long times have to fall for that are in seconds, by how much that may be off; in ms. */
const seconds = { longMs: 1_500, offMs: 1_100, gapMs: 1_000 }

/**
 * Whether the last one is less than one before it by as many as seconds went by, and none between
 * was more than the one before, or came long after it: another window may begin with any number.
 */
function fallsBySeconds(told: readonly Told[]): boolean {
  const last = told.at(-1)!
  const first = told.findLastIndex(({ at }) => last.at - at >= seconds.longMs)
  const [before, ...others] = told.slice(first)
  const isAnother = others.some((one, nth) => {
    const { claimed, at } = told[first + nth]!
    return one.claimed.value > claimed.value || one.at - at > seconds.gapMs
  })
  if (first < 0 || !before || isAnother) return false
  const fellMs = before.claimed.value - last.claimed.value
  return fellMs > 0 && Math.abs(fellMs - (last.at - before.at)) <= seconds.offMs
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
