import type { Outcome } from './contract.ts'
import type { ProcessUsage } from './process-usage.ts'

/** What is known of a process without asking anything inside of it. */
export type Standing = {
  nowMs: number
  /** Undefined where the kernel does not tell: only heartbeats count then. */
  usage?: ProcessUsage
  /** Processor time that was charged since the last look, in microseconds. */
  chargedUs: number
  /** Processor time that all who are there may use, in milliseconds. */
  allowanceMs: number
  /** Since when a heartbeat is unanswered; undefined while none is. */
  unansweredSinceMs?: number
}

/** What ends a process that goes beyond everything that is enforced inside of it. */
export type Backstop = {
  /** Looks at it; the outcome for which it has to be killed, if it has. */
  look(standing: Standing): Extract<Outcome, `exceeded${string}` | 'internal'> | undefined
  /** Processor time that nobody was charged for, in microseconds. */
  unchargedUs(): number
}

/** Decisions of the backstop: far enough beyond what is enforced inside never to come before it. */
export const backstopRules = {
  /** Uncharged processor time beyond what those there may use. */
  graceMs: 2_000,
  /** So much may the host, the compiler and the collector use for what a function uses. */
  overhead: 5,
  /** The part of a processor a process may use with nobody to charge for it. */
  idleShare: 0.1,
  /** Resident bytes beyond the limit and what the process began with: V8's own 512 MB of heap. */
  reserveBytes: 512 * 2 ** 20,
  /** A host is never busy: who does not answer for so long is not going to. */
  heartbeatMs: 15_000
}

/**
 * Begins to look at a process. Processor time that was charged to nobody is a debt: it grows with
 * what the kernel says was used, falls with what was charged, and slowly by itself.
 */
export function createBackstop(
  memoryBytes: number,
  rules: typeof backstopRules = backstopRules
): Backstop {
  let before: { nowMs: number; usage: ProcessUsage } | undefined
  let beganBytes = 0
  let debtUs = 0
  return {
    look({ nowMs, usage, chargedUs, allowanceMs, unansweredSinceMs = nowMs }) {
      if (nowMs - unansweredSinceMs > rules.heartbeatMs) return 'internal'
      if (!usage) return undefined
      if (!before) beganBytes = usage.residentBytes
      else {
        const usedUs = usage.cpuUs - before.usage.cpuUs
        const freeUs = (nowMs - before.nowMs) * 1_000 * rules.idleShare
        debtUs = Math.max(0, debtUs + usedUs - freeUs - Math.max(0, chargedUs) * rules.overhead)
      }
      before = { nowMs, usage }
      const mostBytes = beganBytes + memoryBytes + rules.reserveBytes
      if (usage.residentBytes > mostBytes) return 'exceededMemory'
      return debtUs > (allowanceMs + rules.graceMs) * 1_000 ? 'exceededCpu' : undefined
    },
    unchargedUs: () => debtUs
  }
}
