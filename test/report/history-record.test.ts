import { expect, test } from 'vitest'
import { historyLine, readHistory } from '../../src/report/history-record.ts'
import { entry } from '../verdict/histories.ts'

test('what was written is read', () => {
  const entries = [entry('a', 'b', 1.1), entry('b', 'c', 0.9)]
  expect(readHistory(entries.map(historyLine).join(''), 'file')).toEqual(entries)
  expect(readHistory('', 'file')).toEqual([])
})

test.each([
  ['{"schema":', /^file:2: not JSON/],
  ['{"schema":"plimsoll-history/2"}', /^file:2: schema/],
  ['5', /^file:2: the entry/]
])('%s is refused, and where it stands is said', (line, message) => {
  expect(() => readHistory(`${historyLine(entry('a', 'b', 1))}${line}\n`, 'file')).toThrow(message)
})
