import { AsyncLocalStorage } from 'node:async_hooks'
import type { ObjectAddress } from '../contract.ts'
import { startup } from '../shared-turn.ts'

/** What an invocation has used, which its code has no way to. */
export type Account = {
  cpuUs: number
  /** The most bytes in use at the end of one of its turns. */
  peakBytes: number
  /** Sum of what its turns added to the bytes in use. */
  grownBytes: number
}

/**
 * One invocation as the guest knows it: whom processor time, memory and calls are charged to. Every
 * field is its own, since what is not would be looked for where a function can put something.
 */
export class Scope {
  readonly #account: Account & { id: number }
  isDropped = false
  /** Promises handed to `waitUntil` that have not settled. */
  waiting = 0
  /** Characters of console output that may still be sent. */
  consoleLeft: number
  passesThrough = false
  /** The stateful object it is for, if any. */
  object: ObjectAddress | undefined = undefined
  constructor(id: number, consoleLeft: number) {
    this.#account = { id, cpuUs: 0, peakBytes: 0, grownBytes: 0 }
    this.consoleLeft = consoleLeft
    Object.defineProperty(this, 'id', { value: id, enumerable: true })
  }
  declare readonly id: number
  static accountOf(scope: Scope): Account {
    return scope.#account
  }
}

/** What a scope has used. */
export const { accountOf } = Scope

const scopes = new AsyncLocalStorage<Scope>()

/** Begins a scope that has used nothing. */
export const createScope = (id: number, consoleLeft: number): Scope => new Scope(id, consoleLeft)

/** Whose code is running: the global scope has one of its own. */
export const scopeNow = () => scopes.getStore()

/** Runs code, and all that follows from it, on account of a scope. */
export const runIn = <Value>(scope: Scope, run: () => Value): Value => scopes.run(scope, run)

/**
 * Tells the host that a scope has something done by other threads; the result tells that it is
 * done. What is lasting is never told to be.
 */
export type Offload = (weight: number, isLasting?: boolean) => () => void

/** Whose code is running, where that must be somebody: the global scope may not wait or send. */
export function needScope(): Scope {
  const scope = scopeNow()
  if (scope && scope.id !== startup) return scope
  throw new Error('Disallowed operation called within global scope.')
}
