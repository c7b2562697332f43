import { AsyncLocalStorage } from 'node:async_hooks'
import type { ObjectAddress } from '../contract.ts'

/** One invocation as the guest knows it: whom processor time, memory and calls are charged to. */
export type Scope = {
  id: number
  cpuUs: number
  /** The most bytes in use at the end of one of its turns. */
  peakBytes: number
  /** Sum of what its turns added to the bytes in use. */
  grownBytes: number
  isDropped: boolean
  /** Promises handed to `waitUntil` that have not settled. */
  waiting: number
  /** Characters of console output that may still be sent. */
  consoleLeft: number
  passesThrough: boolean
  /** The stateful object it is for, if any. */
  object?: ObjectAddress
}

const scopes = new AsyncLocalStorage<Scope>()

/** Begins a scope that has used nothing. */
export function createScope(id: number, consoleLeft: number): Scope {
  return {
    id,
    cpuUs: 0,
    peakBytes: 0,
    grownBytes: 0,
    isDropped: false,
    waiting: 0,
    consoleLeft,
    passesThrough: false
  }
}

/** Whose code is running; undefined in the global scope. */
export const scopeNow = () => scopes.getStore()

/** Runs code, and all that follows from it, on account of a scope. */
export const runIn = <Value>(scope: Scope, run: () => Value): Value => scopes.run(scope, run)

/** Whose code is running, where that must be somebody: the global scope may not wait or send. */
export function needScope(): Scope {
  const scope = scopeNow()
  if (scope) return scope
  throw new Error('Disallowed operation called within global scope.')
}
