import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { waySeen } from '../../src/scenario/time.ts'
import { type Patience, patienceFound } from '../limit/time/patience.ts'

/** What is found of one on a machine that others keep busy: an end is seen late now and then. */
function found(patience: Patience, seed: number) {
  const next = random(seed, 'time')
  const lateMs = () => 8 * next() + (next() < 0.03 ? 40 * next() : 0)
  return patienceFound({ ...patience, lateMs }, 40_000 * next())
}

type Ways = Awaited<ReturnType<typeof patienceFound>>

/** What each way that ended comes to, by what was found before and is now. */
function judged(before: Ways, now: Ways): (boolean | string)[] {
  return before.flatMap(({ variant, reading }, index) => {
    if (reading.kind !== 'found') return []
    const seen = waySeen({ variant, ...reading }, now[index]!.reading)
    return [typeof seen === 'string' ? seen : seen.holds]
  })
}

test.each([
  ['a clock', {}],
  ['one that looks every 700 ms', { everyMs: 700 }],
  ['one that looks every 2.5 s', { everyMs: 2_500 }],
  ['one that looks as a byte comes', { looks: 'byte' }]
] as const)('what was found of %s holds against it, and against no other', async (_, how) => {
  const ms = 4_300
  const before = await found({ ms, ...how }, 1)
  const verdicts = async (part: number) => {
    return judged(before, await found({ ms: part * ms, ...how }, 2))
  }
  const same = await verdicts(1)
  expect(same.length).toBeGreaterThan(0)
  expect([...new Set(same)]).toEqual([true])
  for (const part of [0.9, 1.1]) expect([...new Set(await verdicts(part))]).toEqual([false])
})

test('what was not found exactly is not held against it', () => {
  const exact = { kind: 'found' as const, since: [], status: 0, how: 'closed' as const }
  const stated = { variant: 'then silence', ms: 8_500, lateMs: 3_000, aboveMs: 600 }
  const seen = (ms: number, more = {}) => {
    return waySeen(stated, { ...exact, ms, lateMs: 2_400, belowMs: 20, ...more })
  }
  expect(seen(8_540)).toMatchObject({ holds: true })
  expect(seen(9_000)).toMatch('not seen exactly enough')
  expect(seen(9_300)).toMatchObject({ holds: false })
  expect(seen(7_900)).toMatchObject({ holds: false })
  expect(seen(7_900, { aboveMs: 700 })).toMatch('not seen exactly enough')
})
