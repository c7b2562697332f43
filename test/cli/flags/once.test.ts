import { expect, test } from 'vitest'
import yargs from 'yargs'
import { insistOnOnce } from '../../../src/cli/flags/once.ts'
import { tagFlag } from '../../../src/cli/flags/tag-flag.ts'

const parser = () =>
  tagFlag(yargs([]))
    .option('rate', { alias: 'r', type: 'number' })
    .option('a-cmd', { type: 'string' })
    .option('header', { alias: 'H', type: 'string', array: true })
    .option('json', { type: 'boolean' })

test.each([
  [['--rate', '5', '--rate', '6'], '--rate is given 2 times'],
  [['-r', '5', '--rate=6', '-r7'], '--rate is given 3 times'],
  [['--a-cmd', 'x', '--aCmd', 'y'], '--a-cmd is given 2 times']
])('%j is refused', (words, message) => {
  expect(() => insistOnOnce(parser(), words)).toThrow(message)
})

test.each([
  [['--rate', '5', 'rate', '--', '--rate', '6']],
  [['-H', 'a: b', '--header', 'c: d']],
  [['--json', '--json']],
  [['--tag', 'a=1', '--tag', 'b=2']]
])('%j is none of its business', (words) => {
  expect(() => insistOnOnce(parser(), words)).not.toThrow()
})
