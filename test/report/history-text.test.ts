import { expect, test } from 'vitest'
import { historyText } from '../../src/report/history-text.ts'
import { historyOf } from '../../src/verdict/history.ts'
import { chain, entry } from '../verdict/histories.ts'

const stepped = historyOf(
  chain(50, (n) => (n === 30 ? 0.1 : 0)),
  'p50'
)

test('every build has a line, and shifts a sentence', () => {
  const text = historyText(stepped)
  expect(text).toMatch(/… 10 more before/)
  expect(text).toMatch(/b50 +[+−]\d/)
  expect(text).toMatch(/worse by \d+\.\d % with b30\n/)
})

test('a creep names its first and its last build', () => {
  const creeping = historyOf(
    chain(30, (n) => (n > 10 ? -0.012 : 0)),
    'p50'
  )
  expect(historyText(creeping)).toMatch(/better by \d+\.\d % little by little from b\d+ to b\d+/)
})

test('a history without a shift, or without builds, says so', () => {
  expect(historyText(historyOf([entry('a', 'b', 1)], 'p50'))).toMatch(
    /no lasting shift\n {2}\(about 5 % of histories show one where nothing changed, and more\n/
  )
  expect(historyText(historyOf([], 'p99'))).toMatch(/No build was measured by p99/)
})
