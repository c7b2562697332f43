import { clock } from '../../clock.ts'
import type { Store } from '../kernel/store.ts'
import type { Time } from '../kernel/time.ts'
import { delivery } from './delivery.ts'
import { jobWithId, listJobs } from './job.ts'
import { type Line, matching } from './matching.ts'
import type { Outlets } from './outlets.ts'
import type { Logs } from './record.ts'
import type { LogpushRules } from './rules.ts'
import { openSpool } from './spool.ts'
import { openTransport } from './transport.ts'
import { sending } from './upload.ts'

/** Log push as a whole: takes records for the jobs of their zones, and delivers them. */
export type Logpush = Logs & {
  /** Delivers what has been recorded in a zone without waiting for its time. */
  deliver(zoneId: string): Promise<void>
  /** Keeps what is not delivered yet, and ends. */
  close(): Promise<void>
}

/** Starts log push on a store, with what was left to be delivered. */
export function openLogs({
  rules,
  store,
  time,
  outlets
}: {
  rules: LogpushRules
  store: Store
  time: Time
  outlets: Outlets
}): Logpush {
  const limits = rules.limits
  const spool = openSpool(store, limits)
  const web = openTransport(limits, outlets, rules.handling)
  const deliveries = delivery({
    ...{ limits, spool, clock, chance: Math.random },
    jobOf: (id) => jobWithId(store, id),
    send: sending({ rules: rules.handling, spool, time, transport: web.transport })
  })
  const linesFor = matching(rules, store)

  let fresh: Line[] = []
  let group: PromiseWithResolvers<void> | undefined
  /** All that was recorded in one turn of the event loop is committed at once. */
  const commit = guarded(() => {
    const lines = fresh
    const written = group
    fresh = []
    group = undefined
    try {
      for (const job of spool.add(lines)) deliveries.wake(job)
    } finally {
      written?.resolve()
    }
  })

  const add = guarded((...record: Parameters<typeof linesFor>) => {
    fresh.push(...linesFor(...record))
    if (fresh.length === 0 || group !== undefined) return
    group = Promise.withResolvers()
    setImmediate(commit)
  })

  return {
    async record(dataset, zoneId, fields) {
      add(dataset, zoneId, fields)
      await group?.promise
    },
    async deliver(zoneId) {
      await group?.promise
      await Promise.all(listJobs(store, zoneId).map(({ id }) => deliveries.deliver(id)))
    },
    async close() {
      await group?.promise
      await deliveries.close()
      await web.close()
    }
  }
}

/** The same work, which warns of what goes wrong and fails nobody. */
function guarded<Given extends unknown[]>(work: (...given: Given) => void) {
  return (...given: Given) => {
    try {
      work(...given)
    } catch (error) {
      process.emitWarning(error as Error)
    }
  }
}
