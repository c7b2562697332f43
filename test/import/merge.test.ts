import { expect, test } from 'vitest'
import { mergedClauses, mergedFiles, statedNumbers, withUsed } from '../../src/import/merge.ts'

const base = { 'limits/a/_request.ts': 'request', 'limits/a/max.ts': "from './_request.ts'" }
const gone = (mine: Record<string, string>) =>
  mergedFiles({ ...base }, {}, (path) => ({ ...base, ...mine })[path])
const outcomes = (mine: Record<string, string>, others: Record<string, string> = {}) =>
  withUsed(gone(mine), others).map(({ path, what }) => `${path}: ${what}`)

test('what is gone from the source goes, unless something that stays uses it', () => {
  const all = ['limits/a/_request.ts: removed', 'limits/a/max.ts: removed']
  expect(outcomes({})).toEqual(all)
  const kept = ['limits/a/_request.ts: kept', 'limits/a/max.ts: kept']
  expect(outcomes({ 'limits/a/max.ts': "// mine\nfrom './_request.ts'" })).toEqual(kept)
  const own = ['limits/a/_request.ts: kept', 'limits/a/max.ts: removed']
  expect(outcomes({}, { 'limits/mine.ts': "import('./a/_request.ts')" })).toEqual(own)
  expect(outcomes({}, { 'limits/samples.yaml': 'make: { by: a, take: {} }' })).toEqual(own)
  expect(outcomes({}, { 'limits/b/_request.ts': "make: { by: 'a', take: {} }" })).toEqual(own)
  expect(outcomes({}, { 'limits/mine.ts': "from './b/_request.ts'" })).toEqual(all)
})

test('what stays for one that stays keeps what it uses itself', () => {
  const files = { 'limits/x.ts': '', 'limits/y.ts': "from './x.ts'" }
  const merged = mergedFiles(files, {}, (path) => files[path as 'limits/x.ts'])
  const all = withUsed(merged, { 'limits/z.ts': "from './y.ts'" })
  expect(all.map(({ because }) => because)).toEqual([
    'no more in the source, and used by limits/y.ts',
    'no more in the source, and used by limits/z.ts'
  ])
})

test('what changed on both sides is told with both, and the rest is put together', () => {
  const [merged] = mergedFiles(
    { 'a.ts': 'max: 5\nunit\nceiling: 2\nend' },
    { 'a.ts': 'max: 7\nunit\nceiling: 2\nnew' },
    () => 'max: 6\nunit\nceiling: 2\nend'
  )
  expect(merged).toMatchObject({
    what: 'conflict',
    text: 'max: 6\nunit\nceiling: 2\nnew',
    disputes: [{ mine: 'max: 6', theirs: 'max: 7' }]
  })
})

const rules = { isNeeded: () => false, isStated: () => false }

test('a clause that changed on both sides is as by hand, and is told each time', () => {
  type Clause = { id: string; documented: string; lines?: string }
  const before: Clause[] = [{ id: 'a', documented: '5', lines: '1' }]
  const theirs: Clause[] = [{ id: 'a', documented: '7', lines: '2' }]
  const first = mergedClauses(
    { base: before, mine: [{ id: 'a', documented: '6', lines: '1' }], theirs },
    rules
  )
  expect(first.clauses).toEqual([{ id: 'a', documented: '6', lines: '2' }])
  expect(first.disputes).toEqual([{ mine: 'a, documented: "6"', theirs: 'a, documented: "7"' }])
  const again = mergedClauses({ base: first.base, mine: first.clauses, theirs }, rules)
  expect(again).toEqual(first)
  const settled = mergedClauses({ base: first.base, mine: theirs, theirs }, rules)
  expect(settled.disputes).toEqual([])
})

test('a number that a scenario by hand goes on to state stays with it, and is told', () => {
  const numbers = statedNumbers(["  max: 60,\n  clause: 'a',", 'max: 5', "  clause: 'b',"])
  expect([...numbers]).toEqual([['a', '60']])
  const before = [
    { id: 'a', documented: '60', lines: '1' },
    { id: 'b', documented: '5', lines: '1' }
  ]
  const theirs = [
    { id: 'a', documented: '50', lines: '2' },
    { id: 'b', documented: '7', lines: '2' }
  ]
  const found = mergedClauses(
    { base: before, mine: before, theirs },
    { ...rules, isStated: ({ id, documented }) => documented === numbers.get(id) }
  )
  expect(found.clauses).toEqual([
    { id: 'a', documented: '60', lines: '2' },
    { id: 'b', documented: '7', lines: '2' }
  ])
  expect(found.disputes).toEqual([{ mine: 'a, documented: "60"', theirs: 'a, documented: "50"' }])
  expect(found.base[0]).toEqual({ id: 'a', documented: '60', lines: '2' })
  const settled = mergedClauses(
    { base: theirs, mine: found.clauses, theirs },
    { ...rules, isStated: ({ id, documented }) => documented === numbers.get(id) }
  )
  expect([settled.clauses, settled.disputes]).toEqual([found.clauses, []])
})
