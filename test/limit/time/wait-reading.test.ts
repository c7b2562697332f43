import { expect, test } from 'vitest'
import { type ClockStart, coursesOf, type WaitName } from '../../../src/limit/time/course.ts'
import { readWait } from '../../../src/limit/time/wait-reading.ts'
import type { WaitSighting } from '../../../src/limit/time/wait-sighting.ts'
import { parseAddress } from '../../../src/target/address.ts'

/** A server that ends what keeps it waiting, in time that is only counted. */
type Patience = {
  ms: number
  since: ClockStart
  /** It looks so often only, in ms. */
  everyMs?: number
}

const upToMs = 20_000
const answerMs = 3

/** What would be seen of one way to keep such a server waiting. */
function seen(name: WaitName, variant: string, { ms, since, everyMs = 1 }: Patience) {
  const ordinary = { method: 'GET', path: '/', headers: [] }
  const address = parseAddress('http://127.0.0.1')
  const courses = coursesOf(name, { ordinary, address, upToMs }).filter((one) => {
    return one.variant === variant
  })
  const sightings = [0, 310, 770].flatMap((from) =>
    courses.map(({ steps, answers }): WaitSighting => {
      const said = steps.flatMap(({ atMs, starts }) => [
        { at: from + atMs, starts },
        ...(answers > 0 ? [{ at: from + atMs + answerMs, starts: ['answer'] as const }] : [])
      ])
      const all = [{ at: from, starts: ['connection'] as const }, ...said]
      for (let at = everyMs; at < from + upToMs; at += everyMs) {
        const marks = all.filter((mark) => mark.at <= at)
        const began = marks.findLast(({ starts }) => (starts as ClockStart[]).includes(since))
        if (began && at - began.at >= ms) {
          return { variant, marks, until: at, ending: { at, status: 408, how: 'closed' } }
        }
      }
      return { variant, marks: all, until: from + upToMs }
    })
  )
  return readWait(sightings, courses[0]!.starts)
}

const begun = 'begun, then silence'

test.each([
  ['idle', 'then silence', { ms: 5_000, since: 'answer' }],
  ['idle', 'then silence', { ms: 3_000, since: 'connection' }],
  ['header-time', begun, { ms: 2_000, since: 'connection' }],
  ['header-time', begun, { ms: 2_000, since: 'first byte' }],
  ['header-time', begun, { ms: 2_000, since: 'last byte' }],
  ['header-time', 'a byte at a time', { ms: 4_000, since: 'first byte' }],
  ['body-time', begun, { ms: 2_000, since: 'head' }],
  ['body-time', begun, { ms: 12_345, since: 'last byte' }],
  ['body-time', 'a byte at a time', { ms: 9_000, since: 'first byte' }],
  ['response-time', 'then silence', { ms: 7_777, since: 'last byte' }]
] as const)('%s, %s: %j', (name, variant, patience) => {
  const found = { kind: 'found', ms: patience.ms, lateMs: 0, since: [patience.since] }
  expect(seen(name, variant, patience)).toMatchObject({ ...found, status: 408, how: 'closed' })
})

test('a clock that every byte starts again never ends what comes byte by byte', () => {
  const reading = seen('header-time', 'a byte at a time', { ms: 2_000, since: 'last byte' })
  expect(reading).toEqual({ kind: 'unlimited', ms: upToMs })
})

test('whoever looks now and then is told by what it left alone as well', () => {
  const reading = seen('header-time', begun, { ms: 2_000, since: 'first byte', everyMs: 500 })
  expect(reading).toMatchObject({ kind: 'found', since: ['first byte'] })
  const { ms, lateMs, belowMs } = reading as Extract<typeof reading, { kind: 'found' }>
  expect([ms >= 2_000, ms - belowMs <= 2_000, lateMs > 0]).toEqual([true, true, true])
})

test('what no clock explains is unclear', () => {
  const sightings = [1_000, 4_000, 9_000].map((at): WaitSighting => {
    const marks = [{ at: 0, starts: ['connection' as const] }]
    return { variant: begun, marks, until: at, ending: { at, status: 0, how: 'reset' } }
  })
  expect(readWait(sightings, ['first byte', 'connection'])).toEqual({
    kind: 'unclear',
    because: '3 ended 1000 to 9000 ms after they were made'
  })
})
