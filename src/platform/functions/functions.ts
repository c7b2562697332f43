import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFront } from '../edge/cache.ts'
import { type Cache, openCache } from '../edge/cache-store.ts'
import { type Files, openFiles } from '../kernel/data/files.ts'
import type { Egress } from '../kernel/egress/egress.ts'
import type { Store } from '../kernel/store.ts'
import type { Time } from '../kernel/time.ts'
import type { Logs } from '../logpush/record.ts'
import type { Rules } from '../rules.ts'
import { type CallDepth, createCallDepth, type Place } from './call-depth.ts'
import { dispatcher } from './dispatch.ts'
import { fetchTargets } from './fetch-target.ts'
import type { EdgeFunction } from './function.ts'
import type { Invocation, Isolates } from './isolate/contract.ts'
import { openIsolates } from './isolate/isolates.ts'
import { openJournal } from './journal.ts'
import { openScheduler } from './scheduler.ts'
import { objectFiles } from './services/objects.ts'
import { openServices } from './services/services.ts'
import { specifications } from './specification.ts'
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
  egress,
  data
}: {
  rules: Pick<Rules, 'functions' | 'isolate' | 'limits'>
  store: Store
  time: Time
  logs: Logs
  /** The guard of the functions' ways out. */
  egress: Egress
  /** The folder everything is kept in; without one nothing outlives the platform. */
  data?: string
}) {
  const limits = rules.limits.functions
  const own = { rules: rules.functions, limits, store, time }
  const stored = openFiles(data && join(data, 'objects'), { lasting: data !== undefined })
  stored.sweep(objectFiles(store))
  const cached = openFiles(data && emptied(join(data, 'cache')))
  const cache = openCache({ files: cached, mostBytes: limits.cacheBytes, now: time.now })
  const journal = openJournal({
    statuses: rules.functions.statuses,
    most: limits.keptInvocations,
    logs
  })
  const clock = virtualClock(time)
  const specOf = specifications(store, limits)
  let ways: Ways | undefined
  let callDepth: CallDepth | undefined

  const invoke = async (target: EdgeFunction, invocation: Invocation) =>
    run(target, invocation).answer
  const call = openServices({ ...own, files: stored, cache, invoke, wake: () => scheduler.wake() })
  const fetchTarget = fetchTargets(own, () => ({ inside: ways!.inside, edge: callDepth!.at }))
  const services = { fetchTarget, call }
  const isolates = openIsolates({ services, egress, clock, rules: rules.isolate })

  function run(target: EdgeFunction, { context, ...event }: Invocation) {
    const invocation = { ...event, context: { ...context, name: target.name } } as Invocation
    const begun = isolates.invoke(specOf(target), invocation)
    begun.record.then((record) => journal.add(record, invocation))
    return begun
  }
  const scheduler = openScheduler(own, run)

  return {
    front: dispatcher({ ...own, depthOf: (port) => callDepth?.depthOf(port) ?? 0 }, invoke),
    throughCache: cacheFront({ cache, limits, now: time.now }),
    cache,
    journal,
    isolates,
    reset: forgetting({ store, stored, cache, isolates }),
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
      cached.close()
    }
  }
}

/** Has `work` empty the store, and forgets what functions had kept elsewhere and what runs. */
function forgetting({
  store,
  stored,
  cache,
  isolates
}: {
  store: Store
  stored: Files
  cache: Cache
  isolates: Pick<Isolates, 'evict'>
}) {
  return async (work: () => void) => {
    const files = objectFiles(store)
    work()
    isolates.evict()
    await cache.purge('')
    for (const file of files) await stored.remove(file)
  }
}

/** A cache begins empty, since what is in it is not written down. */
function emptied(folder: string): string {
  rmSync(folder, { recursive: true, force: true })
  return folder
}
