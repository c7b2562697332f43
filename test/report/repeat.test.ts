import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { repeatCommand } from '../../src/report/repeat.ts'
import { sample } from './sample.ts'

const { header } = sample()

test.each([
  [['--target', 'staging.json'], 'plimsoll run edge/url --target staging.json --seed 42'],
  [undefined, 'plimsoll run edge/url --seed 42'],
  [['--seed', '7', '--tier', 'full'], 'plimsoll run edge/url --seed 7 --tier full']
])('with the flags %j the command is %s', (flags, command) => {
  expect(repeatCommand({ ...header, flags }, 'edge/url')).toBe(command)
})

test('a shell reads back every word as it was', () => {
  const words = ["it's", 'a b', '$HOME', '`id`', 'x;y', '*', '"', '\\', '--out=é']
  const command = repeatCommand({ ...header, flags: words }, 'a b')
  const script = command.replace('plimsoll', "printf '%s\\n'")
  const read = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n')
  expect(read).toEqual(['run', 'a b', ...words, '--seed', '42'])
})
