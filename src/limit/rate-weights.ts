import type { Answer } from './answer.ts'

/** One answer, and how much of a body there was, in bytes, where that is known. */
type Weighed = { kind: Answer['kind']; bytes?: number | undefined }

/** What answers weigh, in bytes. */
export type Weights = {
  see: (seen: readonly Weighed[]) => void
  /** By what part of their mean they differ, by their standard deviation. */
  spread: () => number
  /** The lightest and the heaviest, in words; undefined where they hardly differ. */
  words: () => string | undefined
}

/** By what part of their mean answers have to differ so that it is said. */
const leastSpread = 0.02

/** Watches what the answers weigh that are accepted. */
export function weightsSeen(): Weights {
  let [count, mean, squares] = [0, 0, 0]
  let [least, most] = [Number.POSITIVE_INFINITY, 0]
  const spread = () => (count < 2 || mean === 0 ? 0 : Math.sqrt(squares / (count - 1)) / mean)
  return {
    see(seen) {
      for (const { kind, bytes } of seen) {
        if (kind !== 'accepted' || bytes === undefined) continue
        const off = bytes - mean
        count++
        mean += off / count
        squares += off * (bytes - mean)
        least = Math.min(least, bytes)
        most = Math.max(most, bytes)
      }
    },
    spread,
    words() {
      if (spread() < leastSpread) return
      return `${least.toLocaleString('en')} to ${most.toLocaleString('en')} bytes`
    }
  }
}
