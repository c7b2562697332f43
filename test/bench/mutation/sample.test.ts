import { expect, test } from 'vitest'
import { among, sampled } from './sample.ts'
import { type Mutation, partOf } from './sites.ts'

const faults = ['waf', 'edge', 'kernel'].flatMap((part, of) =>
  Array.from({ length: 20 * (of + 1) }, (_, at): Mutation => {
    const [file, operator] = [`src/platform/${part}/a.ts`, at % 4 === 0 ? 'negate' : 'number']
    const line = Math.floor(at / 2)
    const [id, span, texts] = [`${part} ${at}`, { start: at, end: at }, { before: '', after: '' }]
    return { id, file, operator, line, lineText: '', ...span, ...texts }
  })
)
const count = (chosen: Mutation[], by: (one: Mutation) => string) =>
  Object.fromEntries([...Map.groupBy(chosen, by)].map(([name, own]) => [name, own.length]))

test('parts and operators take turns, whatever their size', () => {
  const chosen = sampled(faults, { size: 12, seed: 1 })
  expect(count(chosen, ({ file }) => partOf(file))).toEqual({ waf: 4, edge: 4, kernel: 4 })
  expect(count(chosen, ({ operator }) => operator)).toEqual({ negate: 6, number: 6 })
})

test('the seed decides, and a larger sample begins with the smaller one', () => {
  const ids = (size: number, seed: number) => sampled(faults, { size, seed }).map(({ id }) => id)
  expect(ids(12, 1)).toEqual(ids(12, 1))
  expect(ids(12, 1)).not.toEqual(ids(12, 2))
  expect(ids(30, 1).slice(0, 12)).toEqual(ids(12, 1))
})

test('no line comes twice before every line has come', () => {
  const chosen = sampled(faults, { size: 30, seed: 3 })
  expect(new Set(chosen.map(({ file, line }) => `${file}:${line}`)).size).toBe(30)
  expect(sampled(faults, { size: 1_000, seed: 3 })).toHaveLength(faults.length)
})

test.each([
  [{}, 120],
  [{ part: 'waf' }, 20],
  [{ part: 'waf', operator: 'negate' }, 5],
  [{ line: ['src/platform/waf/a.ts:0', 'src/platform/edge/a.ts:1'] }, 4]
])('of those that are asked for, %j, there are %i', (asked, many) => {
  expect(among(faults, asked)).toHaveLength(many)
})

test.each([
  [{ part: 'waff' }, '--part: there is no "waff"; nearest: waf'],
  [{ part: 'nosuch' }, '--part: there is no "nosuch"; there are edge, kernel, waf'],
  [{ operator: 'negated' }, '--operator: there is no "negated"; nearest: negate'],
  [{ line: ['src/platform/waf/a.ts'] }, 'FILE:LINE, as src/platform/platform.ts:12, and not'],
  [{ line: ['src/platform/waf/a.ts:99'] }, 'no operator makes a fault on src/platform/waf/a.ts:99']
])('what there is none of is refused: %j', (asked, message) => {
  expect(() => among(faults, asked)).toThrow(message)
})
