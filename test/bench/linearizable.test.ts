import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { History, Operation, Value } from './kills/history.ts'
import { isLinearizable, lostWrites } from './kills/linearizable.ts'

const write = (value: Value, from: number, to: number): Operation => ({
  ...{ kind: 'write', value, from, to }
})
const read = (value: Value, from: number, to: number): Operation => ({
  ...{ kind: 'read', value, from, to }
})
const open = (value: Value, from: number, to: number): Operation => ({
  ...write(value, from, to),
  isOpen: true
})

describe('wrong histories are found', () => {
  test.each<[string, History, number]>([
    ['a lost write', [write('a', 0, 1), read(undefined, 2, 3)], 1],
    ['a stale read', [write('a', 0, 1), write('b', 2, 3), read('a', 4, 5)], 1],
    ['a value never written', [write('a', 0, 1), read('x', 2, 3)], 0],
    ['a value before it was written', [read('a', 0, 1), write('a', 2, 3)], 0],
    ['a deletion that is undone', [write('a', 0, 1), write(undefined, 2, 3), read('a', 4, 5)], 1],
    [
      'an acknowledgement that half of the readers know',
      [write('a', 0, 1), write('b', 2, 9), read('b', 3, 4), read('a', 5, 6), read('b', 7, 8)],
      0
    ],
    [
      'nothing in between two values',
      [write('a', 0, 1), write('b', 2, 6), read(undefined, 3, 4), read('b', 7, 8)],
      1
    ],
    [
      'an open write that happened twice',
      [write('a', 0, 1), open('b', 2, 9), read('b', 3, 4), write('c', 5, 6), read('b', 7, 8)],
      0
    ],
    [
      'an open write that came and went',
      [write('a', 0, 1), open('b', 2, 3), read('b', 4, 5), read('a', 6, 7)],
      0
    ],
    [
      'an open write after its process had died',
      [open('a', 0, 1), read(undefined, 2, 3), read('a', 4, 5)],
      0
    ],
    [
      'two readers who see two writes in different orders',
      [write('a', 0, 9), write('b', 0, 9), read('a', 1, 2), read('b', 3, 4), read('a', 5, 6)],
      0
    ]
  ])('%s', (_, history, lost) => {
    expect(isLinearizable(history)).toBe(false)
    expect(isLinearizable(history.toReversed())).toBe(false)
    expect(lostWrites(history)).toHaveLength(lost)
  })
})

describe('right histories are not', () => {
  test.each<[string, History]>([
    ['nothing', []],
    ['nothing there', [read(undefined, 0, 1)]],
    ['write and read', [write('a', 0, 1), read('a', 2, 3)]],
    ['a write that is superseded', [write('a', 0, 1), write('b', 2, 3), read('b', 4, 5)]],
    ['a read beside a write sees what was', [write('a', 0, 1), write('b', 2, 9), read('a', 3, 4)]],
    ['a read beside a write sees what will be', [write('a', 0, 9), read('a', 3, 4)]],
    ['an open write that happened', [write('a', 0, 1), open('b', 2, 3), read('b', 4, 5)]],
    ['an open write that did not', [write('a', 0, 1), open('b', 2, 3), read('a', 4, 5)]],
    [
      'an open deletion that happened',
      [write('a', 0, 1), open(undefined, 2, 3), read(undefined, 4, 5)]
    ],
    ['two at once, the other way around', [write('a', 0, 5), write('b', 1, 2), read('a', 6, 7)]]
  ])('%s', (_, history) => {
    expect(isLinearizable(history)).toBe(true)
    expect(lostWrites(history)).toEqual([])
  })
})

/** Every order of the operations that happened, tried one after the other. */
function isLinearizableByForce(left: History, value: Value = undefined): boolean {
  if (left.every(({ isOpen }) => isOpen)) return true
  return left.some((next, index) => {
    const rest = left.toSpliced(index, 1)
    const isDue = rest.every(({ to, isOpen }) => isOpen || to >= next.from)
    if (!isDue || (next.kind === 'read' && next.value !== value)) return false
    // Open ones whose moment is over have not happened.
    const alive = rest.filter(({ isOpen, to }) => !isOpen || to >= next.from)
    return isLinearizableByForce(alive, next.kind === 'write' ? next.value : value)
  })
}

const operations = fc.array(
  fc
    .record({
      kind: fc.constantFrom('write' as const, 'read' as const),
      value: fc.constantFrom(undefined, 'a', 'b', 'c'),
      from: fc.integer({ min: 0, max: 12 }),
      length: fc.integer({ min: 0, max: 5 }),
      isMissed: fc.boolean()
    })
    .map(({ kind, value, from, length, isMissed }) => ({
      ...{ kind, value, from, to: from + length },
      isOpen: kind === 'write' && isMissed
    })),
  { maxLength: 7 }
)

test('any small history is judged as by trying every order', () => {
  fc.assert(
    fc.property(operations, (history) => {
      expect(isLinearizable(history)).toBe(isLinearizableByForce(history))
      if (lostWrites(history).length > 0) expect(isLinearizable(history)).toBe(false)
    }),
    { numRuns: 2_000 }
  )
})

test('a long history with several at once is judged', () => {
  const history = Array.from({ length: 400 }, (_, at) => [
    write(`${at}`, at, at + 0.4),
    open('x', at + 0.2, at + 0.5),
    read(`${at}`, at + 0.5, at + 0.9),
    read(`${at}`, at + 0.6, at + 1)
  ]).flat()
  expect(isLinearizable(history)).toBe(true)
  expect(isLinearizable([...history, read('0', 500, 501)])).toBe(false)
})
