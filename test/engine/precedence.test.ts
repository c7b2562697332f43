import { expect, test } from 'vitest'
import { type Plan, plan } from '../../src/engine/plan.ts'
import { inTurn, precedence, withPresupposed } from '../../src/engine/precedence.ts'
import type { Unit } from '../../src/engine/unit.ts'
import { parseInventory } from '../../src/scenario/clause.ts'
import { check } from '../../src/scenario/define.ts'
import type { Tier } from '../../src/scenario/tier.ts'

const clause = (id: string, ...presupposes: string[]) => {
  return { id, kind: 'rule', documented: 'so it is', presupposes }
}
const inventory = parseInventory(
  JSON.stringify([
    clause('limit'),
    clause('holds', 'limit'),
    clause('frees', 'holds'),
    clause('other')
  ]),
  'clauses.json'
)

function planned(scenarios: Record<string, { clauses: string[]; tier?: Tier }>): Plan {
  const loaded = Object.entries(scenarios).map(([id, { clauses, tier }]) => {
    const scenario = check({ title: 'a title', clauses, tier, async run() {} })
    return { id, file: `${id}.ts`, scenario }
  })
  return plan(loaded, inventory)
}

const names = (units: readonly Unit[]) => units.map(({ scenario }) => scenario)

test('work begins when that of all it comes after is done, and not before', async () => {
  const { units } = planned({
    frees: { clauses: ['frees'] },
    holds: { clauses: ['holds'] },
    limit: { clauses: ['limit'] },
    other: { clauses: ['other'] }
  })
  const told: string[] = []
  await inTurn(units, precedence(units, inventory), async ({ scenario }, isAwaited) => {
    told.push(`${scenario} begins${isAwaited ? ', awaited' : ''}`)
    await new Promise(setImmediate)
    told.push(`${scenario} ends`)
  })
  expect(told.slice(0, 2)).toEqual(['limit begins, awaited', 'other begins'])
  expect(told.filter((text) => !text.startsWith('other'))).toEqual([
    ...['limit begins, awaited', 'limit ends', 'holds begins, awaited', 'holds ends'],
    ...['frees begins', 'frees ends']
  ])
})

test('a fault on the way is the fault of the whole', async () => {
  const { units } = planned({ a: { clauses: ['holds'] }, b: { clauses: ['limit'] } })
  const broken = inTurn(units, precedence(units, inventory), async () => {
    throw new Error('it is out of order')
  })
  await expect(broken).rejects.toThrow('out of order')
})

test('a scenario that judges both needs no order', () => {
  const { units, problems } = planned({ both: { clauses: ['frees', 'limit', 'holds'] } })
  expect(problems).toEqual([])
  expect(precedence(units, inventory).get(units[0]!)).toEqual([])
})

test('scenarios that would wait for each other are a problem that names them', () => {
  const { problems } = planned({
    one: { clauses: ['limit', 'frees'] },
    two: { clauses: ['holds'] }
  })
  expect(problems).toEqual([expect.stringMatching(/one waits for two waits for one, .* of their/)])
})

test('to some units those are added without which nothing follows, of the shortest tier', () => {
  const { units } = planned({
    'a/frees': { clauses: ['frees'] },
    'b/holds-long': { clauses: ['holds'], tier: 'full' },
    'b/holds': { clauses: ['holds'] },
    'c/limit': { clauses: ['limit'], tier: 'long' },
    'd/other': { clauses: ['other'] }
  })
  const added = (count: number) =>
    names(withPresupposed(units.slice(0, count), { among: units, inventory }))
  expect(added(1)).toEqual(['a/frees', 'b/holds', 'c/limit'])
  // One that was chosen anyway is enough.
  expect(added(2)).toEqual(['a/frees', 'b/holds-long', 'c/limit'])
})
