import { expect, test } from 'vitest'
import { capacity } from '../../src/scenario/capacity.ts'

const request = () => ({ url: 'http://127.0.0.1:1/' })

test('what is demanded is told apart from how it is searched for', () => {
  const made = capacity({ title: 'It holds', perSecond: 50, p99Ms: 20, request })
  expect(made).toMatchObject({
    ...{ kind: 'capacity', clauses: [], alone: ['everything'], transport: 'http1' },
    ...{ ceiling: 4, seconds: 60, connections: 50 },
    demand: { perSecond: 50, p99Ms: 20, errorRatio: 0.001 }
  })
  expect(made).not.toHaveProperty('p99Ms')
})

test('a rate of nothing is refused', () => {
  expect(() => capacity({ title: '', perSecond: 0, p99Ms: 20, request })).toThrow(
    '`perSecond` has to be'
  )
})

test('a time that no response can exceed is refused', () => {
  const asked = { title: 'It holds', perSecond: 50, request }
  expect(capacity({ ...asked, p99Ms: 20_000 }).demand.p99Ms).toBe(20_000)
  expect(() => capacity({ ...asked, p99Ms: 20_001 })).toThrow(/^capacity: `p99Ms` .*; give less$/)
})
