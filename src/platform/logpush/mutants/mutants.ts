import type { Mutant, Unenforced } from '../../kernel/mutant.ts'
import type { LogpushRules } from '../rules.ts'
import { logPushMutants } from './delivery.ts'
import { logPushFilterMutants } from './filter.ts'
import { instead } from './operation.ts'

/** Every known way to break log push. */
export const mutants: readonly Mutant<LogpushRules>[] = [...logPushMutants, ...logPushFilterMutants]

/** Log push that takes any number of jobs, with filters that are none as if they had none. */
export const unenforced: Unenforced<LogpushRules> = {
  limits: { filterBytes: Infinity, filterOperators: Infinity, jobs: Infinity },
  ...instead(['logpush.job.create'], (call, run) => {
    try {
      return run(call)
    } catch {
      return run({ ...call, body: { ...call.body, filter: null } })
    }
  })
}
