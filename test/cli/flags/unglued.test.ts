import { expect, test } from 'vitest'
import { unglued } from '../../../src/cli/flags/unglued.ts'

test.each([
  [
    ['-HAuthorization: Bearer x', '-n', '1'],
    ['-H', 'Authorization: Bearer x', '-n', '1']
  ],
  [
    ['-mPOST', '-b{"n":1}', '-c5'],
    ['-m', 'POST', '-b', '{"n":1}', '-c5']
  ],
  [
    ['-H', 'a: b', '-m=PUT', '--header', '-h'],
    ['-H', 'a: b', '-m=PUT', '--header', '-h']
  ],
  [
    ['--', '-mPOST'],
    ['--', '-mPOST']
  ]
])('%j is read as %j', (words, apart) => {
  expect(unglued(words)).toEqual(apart)
})
