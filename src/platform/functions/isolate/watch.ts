import { createBackstop } from './backstop.ts'
import type { IsolateLimits, Outcome } from './contract.ts'
import type { ProcessUsage } from './process-usage.ts'

/** The look a platform takes at a process from outside, until it is no more. */
export type Watch = {
  /** It was answered. */
  answered(): void
  /** Why it was killed; undefined while it was not, or not from here. */
  verdict(): Outcome | undefined
  /** Processor time nobody was charged for, in microseconds. */
  unchargedUs(): number
  end(): void
}

/** How often it is looked what a process uses, and asked whether it is there. */
const lookMs = 100
const pingMs = 1_000

/** Begins to watch over a process as soon as it has something to run. */
export function startWatch(parts: {
  usage: () => ProcessUsage | undefined
  limits: Pick<IsolateLimits, 'memoryBytes' | 'startupMs'>
  isStarting: () => boolean
  /** Processor time charged so far, in microseconds, and what those there may use together. */
  account: () => { chargedUs: number; allowanceMs: number }
  ping: () => void
  kill: () => void
}): Watch {
  const { usage, limits, isStarting, account, ping, kill } = parts
  const backstop = createBackstop(limits.memoryBytes)
  let verdict: Outcome | undefined
  let seenUs = 0
  let pingedMs = -Infinity
  let unansweredSinceMs: number | undefined
  const look = () => {
    const nowMs = performance.now()
    const { chargedUs, allowanceMs } = account()
    const mayMs = allowanceMs + (isStarting() ? limits.startupMs : 0)
    const since = { chargedUs: chargedUs - seenUs, unansweredSinceMs, allowanceMs: mayMs }
    seenUs = chargedUs
    verdict = backstop.look({ nowMs, usage: usage(), ...since })
    if (verdict) {
      clearInterval(looks)
      return kill()
    }
    if (isStarting() || unansweredSinceMs !== undefined || nowMs - pingedMs < pingMs) return
    pingedMs = unansweredSinceMs = nowMs
    ping()
  }
  const looks = setInterval(look, lookMs)
  looks.unref()
  look()
  return {
    answered() {
      unansweredSinceMs = undefined
    },
    verdict: () => verdict,
    unchargedUs: backstop.unchargedUs,
    end: () => clearInterval(looks)
  }
}
