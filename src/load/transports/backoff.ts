import { type Random, random } from '../../random.ts'

const shortestMs = 10
const longestMs = 1_000

/**
 * How long to wait before the next attempt after so many failures in a row: twice as long each
 * time, up to a second, and somewhere in the upper half of that, so that connections do not move in
 * step.
 */
export function backoffMs(failures: number, next: Random): number {
  if (failures === 0) return 0
  const full = Math.min(longestMs, shortestMs * 2 ** Math.min(failures - 1, 10))
  return full * (0.5 + next() / 2)
}

/** Attempts that are put off. */
export type Backoff = {
  /** Attempts again: at once after no failure, later the more there were in a row. */
  retry(failures: number, attempt: () => void): void
  /** How many attempts are put off at the moment. */
  pending(): number
  /** Forgets them, and all to come. */
  close(): void
}

/** A backoff with nothing put off. */
export function createBackoff(): Backoff {
  const chance = random(0, 'backoff')
  const timers = new Set<NodeJS.Timeout>()
  let isClosed = false
  return {
    retry(failures, attempt) {
      if (isClosed) return
      if (failures === 0) return attempt()
      const timer = setTimeout(
        () => {
          timers.delete(timer)
          attempt()
        },
        backoffMs(failures, chance)
      )
      timers.add(timer)
    },
    pending: () => timers.size,
    close() {
      isClosed = true
      for (const timer of timers) clearTimeout(timer)
    }
  }
}
