import { expect, test } from 'vitest'
import { claiming, plan } from '../../src/engine/plan.ts'
import { accepted } from '../../src/limit/answer.ts'
import { KB, MB } from '../../src/limit/limit.ts'
import { hold, open } from '../../src/load/load.ts'
import { capacity } from '../../src/scenario/capacity.ts'
import { parseInventory } from '../../src/scenario/clause.ts'
import { check, limit } from '../../src/scenario/define.ts'
import { soak } from '../../src/scenario/soak.ts'

const inventory = parseInventory(
  JSON.stringify([
    { id: 'body.free', kind: 'limit', documented: '100', unit: 'MB' },
    { id: 'body.pro', kind: 'limit', documented: '200', unit: 'MB' },
    { id: 'url', kind: 'limit', documented: '16', unit: 'KB' },
    { id: 'operators', kind: 'limit', documented: 'about 30', unit: 'operators' },
    { id: 'requests', kind: 'limit', documented: 'none', unit: 'requests' },
    { id: 'json', kind: 'rule', documented: 'all bodies are JSON' }
  ]),
  'clauses.json'
)
const common = { title: 'a title', unit: 'bytes', probe: async () => accepted({} as never) }
const planned = (scenario: Parameters<typeof plan>[0][number]['scenario']) =>
  plan([{ id: 'some/scenario', file: 'some/scenario.ts', scenario }], inventory)

test('a limit with `each` becomes one unit a key, each with every reading of its number', () => {
  const { units, problems } = planned(
    limit({ ...common, each: { free: 100 * MB, pro: 200 * MB }, clause: (key) => `body.${key}` })
  )
  expect(problems).toEqual([])
  expect(units.map(({ key, clauses, limit }) => [key, clauses, limit!.readings])).toEqual([
    ['free', ['body.free'], [100_000_000, 104_857_600]],
    ['pro', ['body.pro'], [200_000_000, 209_715_200]]
  ])
})

test('a check is one unit with all its clauses', () => {
  const { units } = planned(check({ title: 'a title', clauses: ['json'], async run() {} }))
  expect(units).toMatchObject([{ kind: 'check', key: '', clauses: ['json'], tier: 'quick' }])
})

test('long loads are plain data, run by themselves, and need claim no clause', () => {
  const request = () => ({ url: 'http://127.0.0.1:1/' })
  const searched = planned(capacity({ title: 'It holds', perSecond: 5, p99Ms: 20, request }))
  expect(searched.problems).toEqual([])
  expect(searched.units).toMatchObject([
    { kind: 'capacity', alone: ['everything'], capacity: { demand: { perSecond: 5 }, ceiling: 4 } }
  ])
  const load = open(hold({ rate: 5, seconds: 60 }))
  const budgets = { rss: 0.05 }
  const told = { title: 'Nothing grows', load, budgets, request, figures: async () => ({}) }
  const soaked = planned(soak(told))
  expect(soaked.problems).toEqual([])
  expect(soaked.units).toMatchObject([{ kind: 'soak', soak: { load, budgets, tells: 'figures' } }])
  expect(structuredClone(soaked.units)).toEqual(soaked.units)
})

test.each([
  [
    'an unknown clause',
    limit({ ...common, max: 1, clause: 'nowhere' }),
    /"nowhere".*clauses\.json/
  ],
  [
    'another number',
    limit({ ...common, max: 17 * KB, clause: 'url' }),
    /17000.*16 KB.*16000 or 16384/
  ],
  ['a clause that is no number', limit({ ...common, max: 1, clause: 'requests' }), /is no number/],
  ['no clause', check({ title: 'a title', clauses: [], async run() {} }), /claims no clause/]
])('%s is a problem', (_, scenario, message) => {
  expect(planned(scenario).problems).toEqual([expect.stringMatching(message)])
})

test('a number the document calls approximate is still a number', () => {
  expect(planned(limit({ ...common, max: 30, clause: 'operators' })).problems).toEqual([])
})

test('units are chosen by the clauses they claim', () => {
  const { units } = planned(
    limit({ ...common, each: { free: 100 * MB, pro: 200 * MB }, clause: (key) => `body.${key}` })
  )
  expect(claiming(units, ['body.pro']).map(({ key }) => key)).toEqual(['pro'])
})
