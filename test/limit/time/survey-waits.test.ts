import { expect, test } from 'vitest'
import { surveyWait } from '../../../src/limit/time/survey-waits.ts'
import { countedClock, patienceFound, patient } from './patience.ts'

test.each([
  { everyMs: 2_500, ms: 9_000 },
  { everyMs: 700, ms: 2_000 },
  { everyMs: 5_000, ms: 3_300 }
])('of %j the least and the most time are told', async ({ everyMs, ms }) => {
  const lines = await patienceFound({ everyMs, ms })
  expect(lines.length).toBe(2)
  for (const { reading } of lines) {
    if (reading.kind !== 'found') throw new Error(`${reading.kind}`)
    const [least, most] = [reading.ms, reading.ms + reading.lateMs]
    expect(least).toBeGreaterThanOrEqual(ms)
    expect(least).toBeLessThanOrEqual(ms + Math.max(50, ms / 100))
    expect(most).toBeGreaterThanOrEqual(ms + everyMs)
    expect(most).toBeLessThanOrEqual(least + 1.05 * everyMs)
  }
})

test.each([5_000, 3_030])('who looks only as a byte comes ends it after %i ms', async (ms) => {
  const [silent, slow] = await patienceFound({ ms, looks: 'byte' })
  expect(silent!.reading.kind).toBe('unlimited')
  const { reading } = slow!
  if (reading.kind !== 'found') throw new Error(reading.kind)
  expect(reading).toMatchObject({ isWithByte: true, lateMs: 0 })
  expect(reading.ms).toBeGreaterThanOrEqual(ms)
  expect(reading.ms).toBeLessThanOrEqual(ms + 50)
})

test('who ends it by a clock of its own does not wait for a byte', async () => {
  for (const ms of [3_000, 3_100, 3_250, 3_450]) {
    const [, slow] = await patienceFound({ ms })
    expect(slow!.reading).toMatchObject({ kind: 'found', ms, lateMs: 0 })
    expect(slow!.reading).not.toHaveProperty('isWithByte')
  }
})

test('how often it looks is not made out where there is no time to see it', async () => {
  const clock = countedClock()
  const ordinary = { method: 'GET', path: '/', headers: [] }
  const maker = patient(clock, { everyMs: 30_000, ms: 60_000 })
  const stopped = () => clock.now() > 100_000
  const found = await surveyWait('body-time', {
    ...{ maker, ordinary, clock, stopped, upToMs: 95_000 }
  })
  const lines = 'lines' in found ? found.lines : []
  expect(lines.map(({ reading }) => reading.kind)).toEqual(['unclear', 'unclear'])
})
