import { unansweredEndings } from '../load/figures/sample.ts'
import type { Losses } from '../verdict/pair-losses.ts'
import type { Trial } from '../verdict/trial.ts'

/** A target that left requests without an answer at the end of what it was asked. */
export type Silence = {
  /** Whether its last trial had no answer at all; one more tells whether it has any. */
  isWhole: boolean
  /** How many requests it left without an answer, one after the other. */
  unanswered: number
  /** What may be said of it: only that it `hangs` is a reason to end. */
  says: 'hangs' | 'may hang' | 'nothing'
  /** The same in words, with counts and time. */
  because: string
}

/** How many requests of a trial had no answer, neither in their time nor when it was over. */
export const unansweredIn = ({ errors }: Trial) => (errors.timeout ?? 0) + (errors.unfinished ?? 0)

/** What lasts so many times as long as it should, or as ever before, is not late by chance. */
const muchLonger = 3

/** No stall lasts for `surely`; for less than `perhaps` a busy machine may be at fault. */
const silentMs = { perhaps: 1_000, surely: 5_000 }

const none = { unanswered: 0, requests: 0, forMs: 0, longestMs: 0, isWhole: false }

/**
 * Of several the first that hangs, else the first that is silent altogether, else the first; of
 * another one that leaves request after request without an answer it is said as well.
 */
export function surest(found: readonly (Silence | undefined)[]): Silence | undefined {
  const silences = found.filter((one) => one !== undefined)
  const hangs = silences.find(({ says }) => says === 'hangs')
  const most = hangs ?? silences.find(({ isWhole }) => isWhole) ?? silences[0]
  const others = silences.filter((one) => one !== most && one.isWhole && one.unanswered > 1)
  return most && { ...most, because: [most, ...others].map(({ because }) => because).join('; ') }
}

/** Keeps how long a target has been silent: since when none of its requests had an answer. */
export function createSilence(name: string) {
  let slowestMs = 0
  let hasAnswered = false
  let now = none
  let lost = 0
  let trials = 0
  const inAll: Losses = { unanswered: 0, failures: 0, requests: 0 }
  const isLong = (tookMs: number, leastMs: number) =>
    tookMs >= Math.max(leastMs, muchLonger * slowestMs)
  const says = (): Silence['says'] => {
    // A target that answers may lose a request, and one that did so two in a row.
    const most = !hasAnswered ? 0 : lost > 0 ? 2 : 1
    if (now.isWhole && now.unanswered > most && isLong(now.forMs, silentMs.surely)) return 'hangs'
    return trials > 1 || isLong(now.forMs, silentMs.perhaps) ? 'may hang' : 'nothing'
  }
  return {
    /** Hears of a trial, void or not, how long it was to last and how long it took. */
    hear(trial: Trial, { tookMs, shouldMs }: { tookMs: number; shouldMs: number }): void {
      const { requests, reasons, p99Us } = trial
      // Held up by the other one it was not asked.
      if (requests === 0) return
      const unanswered = unansweredIn(trial)
      inAll.requests += requests
      inAll.failures += trial.failures - (trial.errors.unfinished ?? 0)
      for (const ending of unansweredEndings) inAll.unanswered += trial.errors[ending] ?? 0
      const isWhole = unanswered === requests
      hasAnswered ||= !isWhole
      // Requests that were given up count as having taken so long, and a busy machine for nothing.
      if (unanswered === 0 && reasons.length === 0)
        slowestMs = Math.max(slowestMs, (p99Us ?? 0) / 1_000)
      const before = isWhole ? now : none
      if (!isWhole) lost += now.unanswered
      trials = unanswered > 0 ? trials + 1 : 0
      // Of one that answered some, it is what it took beyond the plan.
      const beyondMs = tookMs > muchLonger * shouldMs ? tookMs - shouldMs : 0
      const forMs = isWhole ? tookMs : beyondMs
      const all = {
        unanswered: before.unanswered + unanswered,
        requests: before.requests + requests,
        forMs: before.forMs + forMs,
        longestMs: Math.max(before.longestMs, forMs),
        isWhole
      }
      now = unanswered > 0 ? all : none
    },
    /** Undefined of one that answered all, or failed in another way. */
    current(): Silence | undefined {
      const { unanswered, requests, forMs, longestMs, isWhole } = now
      if (unanswered === 0) return
      const how = says()
      const isPatient = hasAnswered && isLong(longestMs, silentMs.surely)
      const orSlow = how === 'hangs' && !isPatient ? ', or takes longer than it was given' : ''
      const last =
        requests === 1 ? 'its last request' : `${unanswered} of its last ${requests} requests`
      const which = `${last} had no answer`
      const time = forMs > 0 ? `, for ${(forMs / 1_000).toFixed(1)} s` : ''
      return { isWhole, unanswered, says: how, because: `${name} ${how}${orSlow}: ${which}${time}` }
    },
    lost: () => inAll
  }
}
