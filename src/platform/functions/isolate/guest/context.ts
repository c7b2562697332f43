import type { ActMessage } from '../message.ts'
import type { Scope } from './scope.ts'

/** What handlers get as `ctx`. */
export type Context = { waitUntil(promise: unknown): void; passThroughOnException(): void }

/** Makes the context of one invocation. */
export function contextOf(scope: Scope, post: (message: ActMessage) => void): Context {
  const change = (by: 1 | -1) => {
    scope.waiting += by
    post({ t: 'waiting', invocation: scope.id, promises: scope.waiting })
  }
  // To await is nothing that a function can change, and a promise settles once.
  const hold = async (promise: unknown) => {
    change(1)
    try {
      await promise
    } catch {
      // Whether it is kept or broken, it is no longer waited for.
    }
    change(-1)
  }
  return {
    waitUntil(promise) {
      void hold(promise)
    },
    passThroughOnException() {
      scope.passesThrough = true
    }
  }
}
