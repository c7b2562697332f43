import { expect, test } from 'vitest'
import { openLedger } from '../../../../src/platform/functions/isolate/ledger.ts'

test('a turn that was condemned cannot close, and one that has closed cannot be condemned', () => {
  const ledger = openLedger()
  ledger.open(1)
  expect(ledger.condemn(1)).toBe(true)
  expect(ledger.close(1)).toBe(false)
  ledger.settle(1)
  ledger.open(2)
  expect(ledger.close(2)).toBe(true)
  expect(ledger.condemn(2)).toBe(false)
})

test('an end that is made late closes no turn that was opened since', () => {
  const ledger = openLedger()
  ledger.open(1)
  ledger.condemn(1)
  ledger.open(2)
  ledger.settle(1)
  expect(ledger.turn()).toBe(2)
})
