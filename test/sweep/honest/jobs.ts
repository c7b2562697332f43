// Log-push jobs of other makes: which are taken, and what is told of them.

import { invalid, unknownObject } from '../../../src/platform/kernel/api/failure.ts'
import type { Call } from '../../../src/platform/kernel/api/operation.ts'
import { newId } from '../../../src/platform/kernel/id.ts'
import { typeOf } from '../../../src/platform/logpush/dataset.ts'
import { deleteJob } from '../../../src/platform/logpush/job.ts'
import { jobOperations } from '../../../src/platform/logpush/job-operations.ts'
import type { logpushLimits } from '../../../src/platform/logpush/limits.ts'
import type { Dataset } from '../../../src/platform/logpush/record.ts'
import { otherRulesIn, type Variant } from './variant.ts'

const about = otherRulesIn(['log-push'])

const filters = ['log-push/filter-size', 'log-push/filter-form', 'log-push/filter-shapes']
const aboutAllowed = 'a filter is limited to about 30 operators and 1000 bytes'
const jobs = ['log-push', 'envelope/request-bodies', 'errors/wrong-bodies', 'authentication']
const roomAllowed = 'how many jobs a zone may have is not said'

/** Log push with other numbers. */
const limited = (limits: Partial<typeof logpushLimits>) => ({ logpush: { limits } })

/** A job as the creation tells it, in other words. */
const told = (tell: (job: Record<string, any>) => object) => ({
  logpush: {
    operations: {
      'logpush.job.create': {
        run: (call: Call) => {
          const { result } = jobOperations['logpush.job.create'].run(call as never)
          return { result: tell(result) as typeof result }
        }
      }
    }
  }
})

/** Conditions wherever they stand in a filter, or in whatever else it may be. */
function conditionsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return []
  return 'key' in value ? [{ ...value }] : Object.values(value).flatMap(conditionsIn)
}

/** Refuses filters that ask about what is no text. */
const ofTextOnly = {
  logpush: {
    operations: {
      'logpush.job.create': {
        run: (call: Call) => {
          const { dataset, filter } = call.body as { dataset: Dataset; filter: string }
          const payload = jobOperations['logpush.job.create'].run(call as never)
          const isText = ({ key }: Record<string, unknown>) => typeOf(dataset, `${key}`) === 'text'
          if (!filter || conditionsIn(JSON.parse(filter)).every(isText)) return payload
          deleteJob(call.store, payload.result.id)
          throw invalid('filter: it is for texts only')
        }
      }
    }
  }
}

/** Platforms whose jobs are others. */
export const jobVariants: readonly Variant[] = [
  about('filters-of-28', aboutAllowed, limited({ filterOperators: 28, filterBytes: 950 }), filters),
  about(
    'filters-of-33',
    aboutAllowed,
    limited({ filterOperators: 33, filterBytes: 1_024 }),
    filters
  ),
  about(
    'comparisons-only',
    'what an operator is of a filter is not said',
    limited({ filterOperators: 90 }),
    filters
  ),
  about(
    'filters-of-text-only',
    'the fields per dataset are not shown, nor which of them a filter can ask about',
    ofTextOnly,
    ['log-push']
  ),
  about('four-jobs', roomAllowed, limited({ jobs: 4 }), jobs),
  {
    name: 'four-jobs-for-good',
    allowed: `${roomAllowed}, nor that one can be deleted`,
    rules: {
      logpush: {
        limits: { jobs: 4 },
        operations: {
          'logpush.job.delete': {
            run: () => {
              throw unknownObject('jobs')
            }
          }
        }
      }
    },
    areas: jobs
  },
  about(
    'jobs-tell-an-id',
    'the body of job creation is not shown',
    told(({ id }) => ({ id: `${id}` }))
  ),
  about(
    'jobs-tell-an-id-by-another-name',
    'the body of job creation is not shown',
    told(({ id }) => ({ job: `${id}` }))
  ),
  about(
    'jobs-tell-nothing',
    'the body of job creation is not shown',
    told(() => ({}))
  ),
  about(
    'jobs-with-other-ids',
    'the body of job creation is not shown',
    told((job) => ({ ...job, id: newId(), job_id: job.id, filter: undefined, enabled: 'yes' }))
  )
]
