import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { feed, readRows } from '../../../src/load/requests/feeder.ts'
import { numberOf } from '../../../src/load/share.ts'

const rows = ['a', 'b', 'c']
const ten = Array.from({ length: 10 }, (_, n) => n)

test('one after the other, and again', () => {
  expect(ten.map(feed(rows, { order: 'sequential' })).join('')).toBe('abcabcabca')
})

test('by chance: all of them, the same for the same seed', () => {
  const many = Array.from({ length: 300 }, (_, n) => n)
  const drawn = many.map(feed(rows, { order: 'random', seed: 1 }))
  expect(new Set(drawn)).toEqual(new Set(rows))
  expect(many.map(feed(rows, { order: 'random', seed: 1 }))).toEqual(drawn)
  expect(many.map(feed(rows, { order: 'random', seed: 2 }))).not.toEqual(drawn)
})

test('none twice, whichever worker asks, and then none', () => {
  const given = [0, 1].flatMap((index) => {
    const next = feed(ten, { order: 'unique' })
    return Array.from({ length: 5 }, (_, n) => next(numberOf(n, { index, count: 2 })))
  })
  expect(given.toSorted()).toEqual(ten)
  expect(() => feed(ten, { order: 'unique' })(10)).toThrow('used up')
})

test('no rows at all are a mistake', () => {
  expect(() => feed([], { order: 'sequential' })).toThrow('no rows')
})

test.each([
  ['rows.csv', 'id,name\n1,"x, y"\n', [{ id: '1', name: 'x, y' }]],
  ['rows.json', '[{"id":1},2]', [{ id: 1 }, 2]],
  ['rows.ndjson', '{"id":1}\n\n{"id":2}\n', [{ id: 1 }, { id: 2 }]]
])('from %s', (name, text, expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, name), text)
  expect(readRows(join(folder, name))).toEqual(expected)
})

test('not from JSON that is no array', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'rows.json'), '{}')
  expect(() => readRows(join(folder, 'rows.json'))).toThrow('not an array')
})
