import { invalid, unknownObject } from '../kernel/api/failure.ts'
import type { Call, Operation } from '../kernel/api/operation.ts'
import { parseDestination } from './destination.ts'
import { passOverEvents } from './event.ts'
import {
  addJob,
  checkedJob,
  deleteJob,
  type Job,
  listJobs,
  readJob,
  takers,
  writeJob
} from './job.ts'
import type { LogpushLimits } from './limits.ts'
import { type LogpushOptions, refusalOf } from './outlets.ts'

const all = '/zones/:zone/logpush/jobs'
const one = `${all}/:id`
const reading = 'logs:read'
const writing = 'logs:write'

type Own = { limits: LogpushLimits }
type Asked = Call<Own, LogpushOptions>

function found({ store, zone, id, path }: Asked): Job {
  const job = /^\d{1,15}$/.test(id) ? readJob(store, zone.id, id) : undefined
  if (job === undefined) throw unknownObject(path)
  return job
}

/** Fails for a destination that is known to be out of reach; others show when they are tried. */
function checkDestination({ body, egress, options }: Asked) {
  if (body.destination_conf === undefined) return
  const outlets = { egress, files: options.logFiles }
  const refusal = refusalOf(parseDestination(`${body.destination_conf}`), outlets)
  if (refusal) throw invalid(`destination_conf: ${refusal}`)
}

/**
 * Everything that can be done with log-push jobs. The document shows only how one is created; the
 * other operations are those it would have.
 */
export const jobOperations = {
  'logpush.job.create': {
    method: 'POST',
    path: all,
    permission: writing,
    run(call) {
      const { store, zone, body } = call
      const { limits } = call.rules
      const fields = checkedJob(body, limits)
      checkDestination(call)
      if (listJobs(store, zone.id).length >= limits.jobs)
        throw invalid(`a zone has ${limits.jobs} jobs at most`)
      const isFirst = takers(store, zone.id, fields.dataset).length === 0
      if (fields.dataset === 'firewall_events' && isFirst) passOverEvents(store, zone.id)
      const id = addJob(store, zone.id, fields)
      return { result: readJob(store, zone.id, `${id}`)! }
    }
  },
  'logpush.job.list': {
    method: 'GET',
    path: all,
    permission: reading,
    run: ({ store, zone }) => ({ result: listJobs(store, zone.id) })
  },
  'logpush.job.get': {
    method: 'GET',
    path: one,
    permission: reading,
    run: (call) => ({ result: found(call) })
  },
  'logpush.job.update': {
    method: 'PUT',
    path: one,
    permission: writing,
    run(call) {
      const before = found(call)
      const fields = checkedJob(call.body, call.rules.limits, before)
      checkDestination(call)
      writeJob(call.store, before.id, fields)
      return { result: found(call) }
    }
  },
  'logpush.job.delete': {
    method: 'DELETE',
    path: one,
    permission: writing,
    run(call) {
      const { id } = found(call)
      deleteJob(call.store, id)
      return { result: { id } }
    }
  }
} satisfies Record<string, Operation<Own, LogpushOptions>>
