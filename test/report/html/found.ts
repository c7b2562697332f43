import type {
  CapacityFound,
  ComparisonFound,
  LimitFound
} from '../../../src/verdict/command-found.ts'
import { boundary } from '../../verdict/boundaries.ts'

/** What commands without a document find, as their pages draw it. */
export const comparison: ComparisonFound = {
  ...{ of: 'comparison', metric: 'p50', budget: 5, ratio: 1.2, interval: [1.1, 1.3] },
  metrics: { p50: { ratio: 1.2, interval: [1.1, 1.3], p: 0.01, a: 100, b: 120, unit: 'µs' } },
  pairs: [0.9, 1.2, 1.4, 1.25].map((ratio, place) => ({ ratio, confirms: place > 1 })),
  facts: [
    ['errors', 'A 0 %, B 1 %'],
    ['unseen', 'a <leak>']
  ]
}

export const bucket: LimitFound & Pick<Required<LimitFound>, 'rate'> = {
  of: 'limit',
  rate: { algorithm: 'token-bucket', burst: 20, perSecond: 10, windowMs: 2_000 }
}

export const sizes: LimitFound = {
  ...{ of: 'limit', unit: 'bytes' },
  boundaries: ['alone', '<two> writes'].map((variant) => {
    return { variant, boundary: boundary('found', '1+ 8+ 9- 8+ 9-') }
  })
}

const trial = {
  ...{ purpose: 'search' as const, rate: 10, seconds: 1, because: '', lossRatio: 0 },
  ...{ outcome: 'held' as const, goodput: 10, p50Us: 1, p99Us: 2, errorShare: 0 }
}

export const capacity: CapacityFound = {
  of: 'capacity',
  objective: { p99Ms: 20, errorsPercent: 0.1 },
  capacity: {
    ...{ confirmed: 10, interval: [9, 11], ended: 'found' },
    ...{ degradation: [], trials: [trial, { ...trial, rate: 20, outcome: 'missed' }] }
  }
}
