import type { Cache } from '../../edge/cache-store.ts'
import type { Files } from '../../kernel/data/files.ts'
import { newId } from '../../kernel/id.ts'
import type { Store } from '../../kernel/store.ts'
import type { Time } from '../../kernel/time.ts'
import type { Invoke } from '../dispatch.ts'
import { type EdgeFunction, functionById, functionByName } from '../function.ts'
import type { Bytes, Caller, ObjectAddress, RequestHead, Services } from '../isolate/contract.ts'
import type { FunctionLimits } from '../limits.ts'
import type { FunctionRules } from '../rules.ts'
import { cacheService } from './cache-api.ts'
import { keyValueStore } from './kv.ts'
import { objectStorage } from './objects.ts'
import { queueService } from './queue.ts'
import type { Service } from './service.ts'
import { objectBinding, objectState } from './stateful.ts'

type Parts = {
  rules: FunctionRules
  limits: FunctionLimits
  store: Store
  time: Time
  files: Files
  cache: Cache
  /** To be told when there may be something new to do at a later time. */
  wake: () => void
  invoke: Invoke
}

/** All services of the platform to functions, but for the network. */
export function openServices(parts: Parts): Services['call'] {
  const { limits, store, time, wake, cache } = parts
  const planned = ({ spec }: Caller) =>
    store.first<{ account: string; plan: keyof FunctionLimits['cacheObjectBytes'] }>(
      `SELECT account, plan FROM function JOIN account ON account.id = account
         WHERE function.id = ?`,
      spec.id
    )!
  const services: Record<string, Service> = {
    kv: keyValueStore({ store, time, valueBytes: limits.valueBytes }),
    objects: objectStorage(parts),
    queue: queueService({ store, time }, wake),
    storage: objectState(store, wake),
    cache: cacheService({
      cache,
      accountOf: (caller) => planned(caller).account,
      limitOf: (caller) => limits.cacheObjectBytes[planned(caller).plan],
      now: time.now
    }),
    ...fetchers(parts)
  }
  return async (call, caller) => {
    const method = services[call.service]?.[call.method]
    if (method === undefined) throw new TypeError(`There is no ${call.service}.${call.method}.`)
    return method(call, caller)
  }
}

type Asked = RequestHead & { kind: 'fetch'; body: Bytes | null; object?: ObjectAddress }

/** What can be sent requests without a network: other functions, and stateful objects. */
function fetchers({ rules, limits, store, invoke }: Parts): Record<string, Service> {
  const ask = async (target: EdgeFunction, request: Asked, { invocation, signal }: Caller) => {
    const depth = Number(invocation.context.depth ?? 0) + 1
    if (depth > limits.depth)
      throw new Error('Functions asked one another too often (error code: 1019).')
    const context = { ...invocation.context, depth }
    const asked = { ...request, id: newId(), context, gone: signal }
    const { status, headers, body } = await invoke(target, asked)
    return { value: { status, headers }, body: body ?? undefined }
  }
  return {
    service: {
      fetch({ id, args: [head], body = null }, caller) {
        const [account = '', name = ''] = id.split('/')
        const target = functionByName(store, account, name)
        if (target === undefined || rules.serviceBindings === 'refuse')
          throw new Error(`There is no function ${name} in this account.`)
        return ask(target, { kind: 'fetch', ...head, body }, caller)
      }
    },
    stateful: {
      fetch({ id, args: [object, head], body = null }, caller) {
        const { functionId, className } = objectBinding(id)
        const target = functionById(store, functionId)
        if (target === undefined) throw new Error('The function of this object is gone.')
        const address = { binding: id, className, id: object }
        const request = { kind: 'fetch' as const, ...head, body, object: address }
        return ask(target, request, caller)
      }
    }
  }
}
