import type { IsolateLimits } from '../contract.ts'
import type { ActMessage, CallMessage, FlowMessage, ResultMessage } from '../message.ts'
import type { IsolateRules } from '../rules.ts'
import { type Calls, createCalls } from './calls.ts'
import { createConnections } from './connections.ts'

/** An invocation as its host knows it: what it may use, and what it has under way. */
export type HostedInvocation = {
  id: number
  allowanceMs: number
  startedMs: number
  /** The most bytes the instance was seen to use meanwhile. */
  peakBytes: number
  /** Processor time it was seen to have used, in microseconds. */
  usedUs: number
  calls: Calls
  setTimer(timer: number, options: { ms: number; repeats: boolean }): void
  clearTimer(timer: number): void
  /** So many promises are waited for: whether that is news to who only asks for any. */
  waitsFor(promises: number): boolean
  /** Lets go of everything it has under way. */
  close(): void
}

type LineMessage = Extract<ActMessage, { t: 'line' }>

/** Begins hosting an invocation. */
export function hostInvocation(options: {
  id: number
  allowanceMs: number
  limits: IsolateLimits
  rules: IsolateRules
  trace: () => string | undefined
  toPlatform: (message: CallMessage | FlowMessage | LineMessage) => void
  toGuest: (message: ResultMessage | FlowMessage | { t: 'fire'; timer: number }) => void
}): HostedInvocation {
  const { id, allowanceMs, limits, rules, trace, toPlatform, toGuest } = options
  let isWaiting = false
  const timers = new Map<number, NodeJS.Timeout>()
  const connections = createConnections({
    limit: limits.connections,
    rules,
    trace,
    now: () => performance.now(),
    later: (ms, then) => void setTimeout(then, ms)
  })
  const warn = (text: string) =>
    toPlatform({ t: 'line', invocation: id, line: { atMs: Date.now(), level: 'warn', text } })
  const clearTimer = (timer: number) => {
    clearTimeout(timers.get(timer))
    timers.delete(timer)
  }
  return {
    id,
    allowanceMs,
    startedMs: performance.now(),
    peakBytes: 0,
    usedUs: 0,
    calls: createCalls({ ...options, connections, warn }),
    setTimer(timer, { ms, repeats }) {
      const fire = () => {
        if (!repeats) timers.delete(timer)
        toGuest({ t: 'fire', timer })
      }
      timers.set(timer, repeats ? setInterval(fire, ms) : setTimeout(fire, ms))
    },
    clearTimer,
    waitsFor(promises) {
      const was = isWaiting
      isWaiting = promises > 0
      return isWaiting !== was
    },
    close() {
      connections.close()
      for (const timer of timers.keys()) clearTimer(timer)
    }
  }
}
