import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Verdict } from '../../../src/verdict/verdict.ts'
import { coveredBy, touches } from './covered.ts'
import { equivalences, reasonFor } from './equivalent.ts'
import { resultOf, type Tried } from './outcome.ts'
import { allMutations } from './sites.ts'
import { reportOf } from './table.ts'

const verdict = (outcome: Verdict['outcome'], scenario = 'waf/a', clause = 'c') =>
  ({ outcome, scenario, clause }) as Verdict
const of = { file: 'src/platform/waf/rules.ts', fails: new Set(['known']) }

test.each([
  ['a clause fails', [verdict('pass'), verdict('fail')], 'killed'],
  ['advice is not followed', [verdict('pass'), verdict('warning')], 'killed'],
  ['one that fails anyhow', [verdict('fail', 'waf/a', 'known')], 'survived'],
  ['some hold', [verdict('pass'), verdict('blocked')], 'survived'],
  ['nothing is judged', [verdict('error'), verdict('blocked'), verdict('inconclusive')], 'stopped'],
  ['nothing is asked', [], 'stopped']
] as const)('%s', (_, verdicts, result) => {
  expect(resultOf(verdicts, of).result).toBe(result)
})

test('an endpoint is down where its canary blocks all who need it, and nobody else counts', () => {
  const needs = new Map([
    ['edge/a', ['edge']],
    ['settings/a', ['management']]
  ])
  const because = 'the canary of edge does not work: HTTP 500'
  const blocked = { ...verdict('blocked', 'edge/a'), because } as Verdict
  const held = verdict('pass', 'settings/a')
  const come = (...verdicts: Verdict[]) => resultOf(verdicts, { ...of, needs }).result
  expect(come(blocked, held)).toBe('down')
  expect(come(blocked, held, verdict('pass', 'edge/a'))).toBe('survived')
  expect(come(blocked, held, verdict('fail', 'settings/a'))).toBe('killed')
  const said = (body: string) => because.replace('500', `200 {"jsonrpc":"2.0","id":7,${body}`)
  const internal = said('"error":{"code":-32603,"message":"Internal error"}}')
  const garbage = said('"result"::{"number":"0x0"}}')
  for (const empty of [internal, because.replace('500', '204'), garbage])
    expect(come({ ...blocked, because: empty } as Verdict, held)).toBe('down')
  const cut = said('"result":{"number":"0x0…')
  for (const other of [
    'no plan',
    because.replace('500', '200'),
    said('"result":{"error":0}}'),
    cut
  ])
    expect(come({ ...blocked, because: other } as Verdict, held)).toBe('survived')
})

test('what the adapter can do for nobody is down as well', () => {
  const needs = new Map([
    ['waf/a', ['edge', 'deploy']],
    ['waf/b', ['edge']]
  ])
  const because = 'the adapter could not do "deploy": HTTP 500'
  const blocked = { ...verdict('blocked'), because } as Verdict
  const come = (...verdicts: Verdict[]) => resultOf(verdicts, { ...of, needs }).result
  expect(come(blocked, verdict('pass', 'waf/b'))).toBe('down')
  expect(come(blocked, verdict('pass', 'waf/a', 'd'))).toBe('survived')
})

test('who ends as he is asked is down, unless a clause failed before', () => {
  const gone = { ...of, isGone: true }
  expect(resultOf([verdict('pass')], gone).result).toBe('down')
  expect(resultOf([verdict('pass'), verdict('fail')], gone).result).toBe('killed')
})

test('whoever is about the part is named before others, and is exact', () => {
  const verdicts = [verdict('fail', 'envelope/a', 'd'), verdict('fail', 'waf/a')]
  expect(resultOf(verdicts, of)).toMatchObject({ scenario: 'waf/a', clause: 'c', isExact: true })
  expect(resultOf(verdicts.slice(0, 1), of)).toMatchObject({ isExact: false })
})

test('of ranges within each other the innermost counts', () => {
  const range = (startOffset: number, endOffset: number, count: number) => ({
    functionName: '',
    isBlockCoverage: true,
    ranges: [{ startOffset, endOffset, count }]
  })
  const url = 'file:///somewhere/src/platform/a.ts'
  const functions = [range(0, 100, 0), range(10, 50, 2), range(20, 30, 0)]
  const covered = coveredBy([{ scriptId: '1', url, functions }])
  expect(covered).toEqual({
    'src/platform/a.ts': [
      [10, 20],
      [30, 50]
    ]
  })
  const [stretches] = Object.values(covered)
  expect(touches(stretches, 12, 14)).toBe(true)
  expect(touches(stretches, 20, 30)).toBe(false)
  expect(touches(stretches, 49, 49)).toBe(true)
})

const fault: Tried = {
  ...{ id: '', line: 3, operator: 'negate', before: 'a', after: '!(a)', asked: 2, of: 5, ms: 9 },
  ...{ file: of.file, result: 'survived' }
}

test('an equivalence is about a file or a folder, an operator and what stands there', () => {
  const because = 'nobody can tell'
  const told = (one: object) =>
    reasonFor({ ...fault, start: 0, end: 1, lineText: 'if (a) b()' }, [
      { file: of.file, because, ...one }
    ])
  expect(told({})).toBe(because)
  expect(told({ file: 'src/platform/waf/' })).toBe(because)
  expect(told({ file: 'src/platform/wa' })).toBeUndefined()
  expect(told({ operators: ['number'] })).toBeUndefined()
  expect(told({ before: /^a$/ })).toBe(because)
  expect(told({ before: /b/ })).toBeUndefined()
  expect(told({ after: /^!\(a\)$/ })).toBe(because)
  expect(told({ after: /b/ })).toBeUndefined()
  expect(told({ line: /b\(\)$/ })).toBe(because)
  expect(told({ line: /c/ })).toBeUndefined()
})

test('what is down, equivalent or invalid is in no share, and who was not seen is named', () => {
  const tried = (['killed', 'survived', 'down', 'equivalent', 'invalid'] as const).map(
    (result) => ({
      ...fault,
      result,
      ...(result === 'survived' && { isNoticed: true })
    })
  )
  const text = reportOf(tried, { seed: 7 })
  expect(text).toContain('5 faults, seed 7')
  expect(text).toMatch(
    /\| waf \| 1 \| 1 \| 0 \| 0 \| 1 \| 1 \| 1 \| 0 \| 1 \| 50 % \(1 % to 99 %\) \|/
  )
  expect(text).toContain('src/platform/waf/rules.ts:3  negate  a → !(a)  (2 of 5 asked, noticed)')
})

test('what is declared to be equivalent is there, with a reason', () => {
  const all = allMutations(join(import.meta.dirname, '../../..'))
  for (const one of equivalences) {
    expect(one.because).not.toBe('')
    expect(all.filter((mutation) => reasonFor(mutation, [one])).length, one.file).toBeGreaterThan(0)
  }
})
