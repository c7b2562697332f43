import type { Operation } from '../kernel/api/operation.ts'
import { fieldsOf } from './dataset.ts'
import { type Dataset, datasets } from './record.ts'

const fields = (dataset: Dataset): Operation => ({
  method: 'GET',
  path: `/zones/:zone/logpush/datasets/${dataset}/fields`,
  permission: 'logs:read',
  run: () => ({ result: fieldsOf[dataset] })
})

/**
 * Tells the fields of each dataset, by name, with what they hold. The document shows no way to
 * that; the path is the real service's.
 */
export const datasetOperations: Record<string, Operation> = Object.fromEntries(
  datasets.map((dataset) => [`logpush.dataset.${dataset}`, fields(dataset)])
)
