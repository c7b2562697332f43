import type { EnvValue, ObjectAddress } from '../contract.ts'
import type { ActMessage } from '../message.ts'
import { createFetcher } from './api/fetch.ts'
import { createKv } from './api/kv.ts'
import { createObjects } from './api/objects.ts'
import { createQueue } from './api/queue.ts'
import { createStateful, createStorage } from './api/stateful.ts'
import type { Calls } from './calls.ts'
import { contextOf } from './context.ts'
import type { Program } from './events.ts'
import { needScope } from './scope.ts'

/** What a function gets as `env`. */
export function environmentOf(env: Record<string, EnvValue>, calls: Calls) {
  const bindings = {
    kv: (id: string) => createKv(calls, id),
    objects: (id: string) => createObjects(calls, id),
    queue: (id: string) => createQueue(calls, id),
    stateful: (id: string) => createStateful(calls, id),
    service: (id: string) => createFetcher(calls, { service: 'service', id, leading: [] })
  }
  const given = (value: EnvValue) =>
    typeof value === 'string' ? value : bindings[value.kind](value.id)
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, given(value)]))
}

const isClass = (value: unknown) => typeof value === 'function' && value.prototype !== undefined

/** What a module that has been loaded offers, and the names of it. */
export function programOf(
  module: Record<string, unknown>,
  parts: {
    env: Record<string, unknown>
    calls: Calls
    post: (message: ActMessage) => void
  }
): Program & { names: string[] } {
  const handlers = (module.default ?? {}) as Record<string, unknown>
  const objects = new Map<string, Record<string, unknown>>()
  const stateOf = (object: ObjectAddress) => ({
    id: { toString: () => object.id },
    storage: createStorage(parts.calls, object),
    waitUntil: (promise: unknown) => contextOf(needScope(), parts.post).waitUntil(promise),
    blockConcurrencyWhile: async (run: () => unknown) => run()
  })
  const make = (address: ObjectAddress) => {
    const Class = module[address.className]
    if (!isClass(Class)) throw new TypeError(`There is no class ${address.className}.`)
    return new (Class as new (...args: unknown[]) => Record<string, unknown>)(
      stateOf(address),
      parts.env
    )
  }
  const known = ['fetch', 'scheduled', 'queue']
  return {
    handlers,
    env: parts.env,
    names: [
      ...known.filter((name) => typeof handlers[name] === 'function'),
      ...Object.keys(module).filter((name) => name !== 'default' && isClass(module[name]))
    ],
    objectOf(address) {
      const key = JSON.stringify([address.binding, address.className, address.id])
      const object = objects.get(key) ?? make(address)
      objects.set(key, object)
      return object
    }
  }
}
