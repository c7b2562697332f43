import { expect, test } from 'vitest'
import { outcomes } from '../../src/verdict/outcome.ts'
import { worse } from '../../src/verdict/verdict.ts'

test('the worse of two outcomes is the one listed first, whichever way round', () => {
  for (const [index, outcome] of outcomes.entries()) {
    for (const other of outcomes.slice(index)) {
      expect(worse(outcome, other)).toBe(outcome)
      expect(worse(other, outcome)).toBe(outcome)
    }
  }
})

test('nothing outranks a proven fail, and a pass stands only where nothing is worse', () => {
  expect(outcomes[0]).toBe('fail')
  expect(worse('pass', 'observed')).toBe('observed')
  expect(worse('pass', 'untested')).toBe('pass')
})
