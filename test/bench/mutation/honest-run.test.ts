import { expect, test } from 'vitest'
import { resultsName } from './honest-run.ts'

test('results of other questions are kept apart, under names that a file can have', () => {
  const many = Array.from({ length: 200 }, (_, at) => `functions/scenario-${at}`)
  const asked = { digest: '0123456789abcdef', tier: 'quick', declared: false, ids: many }
  const names = [
    resultsName(asked),
    resultsName({ ...asked, ids: many.slice(1) }),
    resultsName({ ...asked, tier: 'full' }),
    resultsName({ ...asked, declared: true }),
    resultsName({ ...asked, digest: 'fedcba9876543210' })
  ]
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[\w-]{1,100}\.ndjson$/)
  expect(resultsName({ ...asked })).toBe(names[0])
})
