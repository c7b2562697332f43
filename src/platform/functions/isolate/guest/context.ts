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
  return {
    waitUntil(promise) {
      change(1)
      const settled = () => change(-1)
      Promise.resolve(promise).then(settled, settled)
    },
    passThroughOnException() {
      scope.passesThrough = true
    }
  }
}
