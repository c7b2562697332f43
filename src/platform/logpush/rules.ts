import { datasetOperations } from './dataset-operations.ts'
import { jobOperations } from './job-operations.ts'
import { logpushLimits } from './limits.ts'
import { output } from './output.ts'
import { selection } from './selection.ts'
import { handling } from './upload.ts'

/** What log push promises: which records a job takes, how it writes them, and how it delivers. */
export const logpushRules = {
  limits: logpushLimits,
  selection,
  output,
  handling,
  operations: { ...jobOperations, ...datasetOperations }
}

/** The shape of `logpushRules`. */
export type LogpushRules = typeof logpushRules
