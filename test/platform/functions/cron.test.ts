import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextAfter, readCron } from '../../../src/platform/functions/cron.ts'

const next = (cron: string, after: string) => {
  const at = nextAfter(readCron(cron), Date.parse(after))
  return at === undefined ? undefined : new Date(at).toISOString().slice(0, 16)
}

test.each([
  ['* * * * *', '2024-02-29T12:00:00Z', '2024-02-29T12:01'],
  ['* * * * *', '2024-02-29T12:00:59.999Z', '2024-02-29T12:01'],
  ['*/15 * * * *', '2024-12-31T23:46Z', '2025-01-01T00:00'],
  ['5/20 * * * *', '2024-01-01T00:06Z', '2024-01-01T00:25'],
  ['30 4 1,15 * *', '2024-01-01T05:00Z', '2024-01-15T04:30'],
  ['0 0 29 2 *', '2024-03-01T00:00Z', '2028-02-29T00:00'],
  ['0 0 29 2 *', '2096-03-01T00:00Z', '2104-02-29T00:00'],
  ['0 9 * * MON-FRI', '2024-03-01T09:00Z', '2024-03-04T09:00'],
  ['0 9 * * 7', '2024-03-01T09:00Z', '2024-03-03T09:00'],
  ['0 0 13 * fri', '2024-03-01T12:00Z', '2024-03-08T00:00'],
  ['0 0 13 * FRI', '2024-03-08T12:00Z', '2024-03-13T00:00'],
  ['0 0 1 JAN,jul *', '2024-02-01T00:00Z', '2024-07-01T00:00'],
  ['0 0 30 2 *', '2024-01-01T00:00Z', undefined]
])('%s after %s: %s', (cron, after, expected) => {
  expect(next(cron, after)).toBe(expected)
})

test.each([
  ...['', '* * * *', '* * * * * *', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * * 13 *'],
  ...['* * * * 8', '5-1 * * * *', '*/0 * * * *', 'a * * * *', '1,,2 * * * *', '1- * * * *']
])('"%s" is no schedule', (cron) => {
  expect(() => readCron(cron)).toThrow(/is no schedule/)
})

test('fires at the minutes that match, and at no others', () => {
  const fields = fc.record({
    minute: fc.constantFrom('*', '0', '7,50', '*/13', '10-20'),
    hour: fc.constantFrom('*', '3', '*/5', '22-23'),
    day: fc.constantFrom('*', '1', '31', '10-12'),
    weekday: fc.constantFrom('*', '0', 'TUE', '1-5')
  })
  const first = Date.UTC(2024, 1, 27)
  fc.assert(
    fc.property(fields, fc.integer({ min: 0, max: 4 * 1_440 }), (text, minutes) => {
      const { minute, hour, day, weekday } = text
      const cron = readCron(`${minute} ${hour} ${day} * ${weekday}`)
      const after = first + minutes * 60_000
      const isMatch = (at: number) => {
        const date = new Date(at)
        const isDay = cron.days.has(date.getUTCDate())
        const isWeekday = cron.weekdays.has(date.getUTCDay())
        const isOn = day !== '*' && weekday !== '*' ? isDay || isWeekday : isDay && isWeekday
        return isOn && cron.hours.has(date.getUTCHours()) && cron.minutes.has(date.getUTCMinutes())
      }
      let expected = after + 60_000
      while (!isMatch(expected)) expected += 60_000
      expect(nextAfter(cron, after)).toBe(expected)
    }),
    { numRuns: 60 }
  )
})
