import { expect, test } from 'vitest'
import { threadsNamed } from '../../../../../src/platform/functions/isolate/host/thread-clock.ts'

test('a system that does not tell of threads is said to be none for functions', () => {
  expect(() => threadsNamed('guest', '/nowhere/task')).toThrow(
    'Functions need Linux: there is no /nowhere/task to measure processor time by.'
  )
  expect(threadsNamed('there is none of this name')).toEqual([])
})
