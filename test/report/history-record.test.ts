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
  ['5', /^file:2: the entry/],
  ['\n\n5', /^file:4: the entry/],
  ['\u001b[31m', /^file:2: not JSON: \P{Cc}*$/u],
  [historyLine(entry('a', 'b', 0)), /^file:2: metrics\.p50\.ratio/],
  [historyLine(entry('a', 'b', -1)), /^file:2: metrics\.p50\.ratio/],
  [historyLine(entry('a', 'b', 1.5)).replace('"ratio":1.5', '"ratio":1'), /p50: the interval/],
  [historyLine(entry('a', 'b', 1)).replace(/\[(.*?),(.*?)\]/, '[$2,$1]'), /p50: the interval/],
  [historyLine(entry('a', 'a', 1)), /^file:2: the entry: a build is held against itself/],
  [historyLine(entry('a', 'b', 1)).replace('"ratio":1', '"ratio":1e999'), /^file:2: metrics/]
])('%s is refused, and where it stands is said', (line, message) => {
  expect(() => readHistory(`${historyLine(entry('a', 'b', 1))}${line}\n`, 'file')).toThrow(message)
})
