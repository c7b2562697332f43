import { expect, test } from 'vitest'
import { claimsOf } from '../../../src/limit/claims/claimed.ts'
import type { Row } from '../../../src/limit/claims/row.ts'
import { createServerClock } from '../../../src/limit/claims/server-clock.ts'

/** All is back a minute later, by a clock that begins in the middle of a second. */
const [epochMs, resetMs] = [1_700_000_000_500, 1_700_000_060_000]

/** In how many ms all is back, by answers at these times, with a clock that is so far ahead. */
function toldAt(times: readonly (readonly [at: number, aheadMs: number, age?: string])[]) {
  const clock = createServerClock()
  const rows = times.map(([at, aheadMs, age]) => {
    const date = new Date(epochMs + at + aheadMs).toUTCString()
    const headers = { date, 'x-ratelimit-reset': String(resetMs / 1_000), ...(age && { age }) }
    const row = { sent: at - 2, answered: at + 2, claims: claimsOf({ headers }, at) } as Row
    clock.see(row, { headers })
    return row
  })
  return rows.map(({ answered, claims }) => answered + claims.resetMs[0]!.value)
}

test('a new second of the clock tells all times, also those before it, to a few ms', () => {
  for (const aheadMs of [0, 0.3, 600_000, -90_000]) {
    const exact = resetMs - epochMs - aheadMs
    for (const at of toldAt([300, 450, 501, 700].map((time) => [time, aheadMs]))) {
      expect(at - exact).toBeGreaterThanOrEqual(0)
      expect(at - exact).toBeLessThan(5)
    }
  }
})

test('clocks that cannot be one tell each its own, and what a cache kept tells none', () => {
  const [one] = toldAt([[300, 0]])
  expect(
    toldAt([
      [300, 0],
      [400, 5_000]
    ])[0]
  ).toBe(302 + resetMs - 1_700_000_000_000)
  expect(
    toldAt([
      [300, 0],
      [400, -5_000, '5']
    ])[0]
  ).toBe(one)
})
