import { expect, test } from 'vitest'
import { check } from '../../src/scenario/define.ts'
import { select, unmatched, withinTier } from '../../src/scenario/select.ts'

const found = ['edge/body', 'edge/url', 'policies/fields'].map((id) => ({ id, file: `${id}.ts` }))
const ids = (chosen: { id: string }[]) => chosen.map(({ id }) => id)

test.each([
  [[], ['edge/body', 'edge/url', 'policies/fields']],
  [['edge'], ['edge/body', 'edge/url']],
  [['edge/u'], ['edge/url']],
  [
    ['edge/url', 'policies'],
    ['edge/url', 'policies/fields']
  ],
  [['nothing'], []]
])('%j selects %j', (asked, chosen) => {
  expect(ids(select(found, asked))).toEqual(chosen)
})

test('ids that stand for nothing are named', () => {
  expect(unmatched(found, ['edge', 'egde'])).toEqual(['egde'])
})

test('a tier holds what is as quick or quicker; a scenario asked for by its id always runs', () => {
  const loaded = found.map((entry, index) => {
    const tier = (['quick', 'full', 'long'] as const)[index]!
    return { ...entry, scenario: check({ title: '', clauses: [], tier, async run() {} }) }
  })
  expect(ids(withinTier(loaded, 'quick', []))).toEqual(['edge/body'])
  expect(ids(withinTier(loaded, 'full', []))).toEqual(['edge/body', 'edge/url'])
  expect(ids(withinTier(loaded, 'quick', ['policies/fields']))).toEqual([
    'edge/body',
    'policies/fields'
  ])
})
