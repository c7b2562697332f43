import { join } from 'node:path'
import type { Cache } from '../edge/cache-store.ts'
import { openFiles } from '../kernel/data/files.ts'
import type { Egress } from '../kernel/egress/egress.ts'
import type { Store } from '../kernel/store.ts'
import type { Time } from '../kernel/time.ts'
import type { Logs } from '../logpush/record.ts'
import { type CallDepth, createCallDepth, type Place } from './call-depth.ts'
import { dispatcher } from './dispatch.ts'
import { fetchTargets } from './fetch-target.ts'
import type { EdgeFunction } from './function.ts'
import type { Invocation } from './isolate/contract.ts'
import { openJournal } from './journal.ts'
import type { FunctionRules } from './rules.ts'
import { openScheduler } from './scheduler.ts'
import { objectFiles } from './services/objects.ts'
import { openServices } from './services/services.ts'
import { specifications } from './specification.ts'
import { objectTable } from './tables.ts'
import { virtualClock } from './virtual-clock.ts'

/** The ways to the platform's own zones: behind all functions, and as many as it takes before. */
type Ways = { inside: Place; open: () => Promise<Place> }

/** The functions of a platform, with all there is for them. */
export type Functions = ReturnType<typeof openFunctions>

/** Makes functions available; nothing starts before there is something to run. */
export function openFunctions({
  rules,
  store,
  time,
  logs,
  cache,
  egress,
  data
}: {
  rules: FunctionRules
  store: Store
  time: Time
  logs: Logs
  /** The cache of the edge, which functions share. */
  cache: Cache
  /** The guard of the functions' ways out. */
  egress: Egress
  /** The folder everything is kept in; without one nothing outlives the platform. */
  data?: string
}) {
  const { limits } = rules
  const own = { rules, limits, store, time }
  const stored = openFiles(data && join(data, objectTable.folder), { lasting: data !== undefined })
  stored.sweep(objectFiles(store))
  const journal = openJournal({
    statuses: rules.statuses,
    most: limits.keptInvocations,
    logs
  })
  const clock = virtualClock(time)
  const specOf = specifications(store, rules)
  let ways: Ways | undefined
  let callDepth: CallDepth | undefined

  const invoke = async (target: EdgeFunction, invocation: Invocation) =>
    run(target, invocation).answer
  const call = openServices({ ...own, files: stored, cache, invoke, wake: () => scheduler.wake() })
  const fetchTarget = fetchTargets(own, () => ({ inside: ways!.inside, edge: callDepth!.at }))
  const services = { fetchTarget, call }
  const isolates = rules.openIsolates({ services, egress, clock, rules: rules.isolate })

  function run(target: EdgeFunction, { context, ...event }: Invocation) {
    const invocation = { ...event, context: { ...context, name: target.name } } as Invocation
    const begun = isolates.invoke(specOf(target), invocation)
    begun.record.then((record) => journal.add(record, invocation))
    return begun
  }
  const scheduler = openScheduler(own, run)

  return {
    dispatch: dispatcher({ ...own, depthOf: (port) => callDepth?.depthOf(port) ?? 0 }, invoke),
    journal,
    isolates,
    /** To be called before the store is emptied; what it returns is to be done after that. */
    reset() {
      const files = objectFiles(store)
      return async () => {
        isolates.evict()
        for (const file of files) await stored.remove(file)
      }
    },
    fire: scheduler.fire,
    /** Has what is due done, after the clock was moved or something was added. */
    wake() {
      clock.moved()
      scheduler.wake()
    },
    /** Says where the platform's own zones are; what is due begins only then. */
    settle(given: Ways) {
      ways = given
      callDepth = createCallDepth(given.open)
      scheduler.wake()
    },
    async close() {
      scheduler.close()
      await isolates.close()
      stored.close()
    }
  }
}
