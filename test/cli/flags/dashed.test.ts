import { expect, test } from 'vitest'
import { dashed } from '../../../src/cli/flags/dashed.ts'

test.each([
  ['Unknown argument: p97', ['load', '--p97', '5'], 'Unknown argument: --p97'],
  ['Unknown arguments: foo-bar, fooBar', ['--foo-bar=1'], 'Unknown argument: --foo-bar'],
  ['Unknown arguments: x, y', ['-xy'], 'Unknown arguments: -x, -y'],
  ['Unknown argument: more', ['load', 'a', 'more'], 'Unknown argument: more'],
  ['Not enough arguments following: cert', ['--cert'], 'Not enough arguments following: --cert'],
  [
    'Invalid values:\n  Argument: transport, Given: "x", Choices: "wire"',
    ['--engine', 'x'],
    'Invalid values:\n  Argument: --transport, Given: "x", Choices: "wire"'
  ],
  ['Missing required arguments: a, b', ['compare'], 'Missing required arguments: --a, --b'],
  ['--p99 "x" is no latency', ['--p99', 'x'], '--p99 "x" is no latency']
])('%j', (message, words, told) => {
  expect(dashed(message, words)).toBe(told)
})
