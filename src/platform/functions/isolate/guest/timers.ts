import type { FromGuest } from '../message.ts'
import { createMap } from './own.ts'
import { needScope, runIn, type Scope } from './scope.ts'

/** Timers that the host keeps and that fire as messages, since code runs from nothing else. */
export type Timers = {
  setTimeout(callback: unknown, ms?: number, ...args: unknown[]): number
  setInterval(callback: unknown, ms?: number, ...args: unknown[]): number
  clearTimeout(timer?: number): void
  scopeOf(timer: number): Scope | undefined
  fire(timer: number): void
  forget(scope: Scope): void
}

type Timer = { scope: Scope; repeats: boolean; run: () => unknown }

const longestMs = 2 ** 31 - 1

/** Begins with no timers; `onThrow` hears what a callback throws. */
export function createTimers(
  post: (message: Extract<FromGuest, { t: 'timer' | 'clear' }>) => void,
  onThrow: (scope: Scope, thrown: unknown) => void
): Timers {
  const timers = createMap<number, Timer>()
  let made = 0
  const set = (run: () => unknown, given: { ms: unknown; repeats: boolean }): number => {
    const scope = needScope()
    const timer = ++made
    const ms = Math.min(Math.max(Number(given.ms) || 0, 0), longestMs)
    timers.set(timer, { scope, repeats: given.repeats, run })
    post({ t: 'timer', invocation: scope.id, timer, ms, repeats: given.repeats })
    return timer
  }
  const runnable = (callback: unknown, args: unknown[]) => {
    if (typeof callback !== 'function') throw new TypeError('A timer takes a function.')
    return () => callback(...args)
  }
  return {
    setTimeout: (callback, ms, ...args) => set(runnable(callback, args), { ms, repeats: false }),
    setInterval: (callback, ms, ...args) => set(runnable(callback, args), { ms, repeats: true }),
    clearTimeout(timer) {
      if (timers.delete(timer!)) post({ t: 'clear', timer: timer! })
    },
    scopeOf: (timer) => timers.get(timer)?.scope,
    fire(timer) {
      const { scope, repeats, run } = timers.get(timer)!
      if (!repeats) timers.delete(timer)
      // Ending code that was not entered by a promise would take the whole process down.
      runIn(scope, async () => {
        await null
        try {
          await run()
        } catch (thrown) {
          onThrow(scope, thrown)
        }
      })
    },
    forget(scope) {
      timers.forEach(({ scope: owner }, timer) => {
        if (owner === scope) timers.delete(timer)
      })
    }
  }
}
