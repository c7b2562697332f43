import { expect, test } from 'vitest'
import { eventRecords } from '../../../src/cli/saved/load-records.ts'
import type { LoadResult } from '../../../src/load/figures/result.ts'
import { hold, open, ramp, warmUp } from '../../../src/load/load.ts'
import { line, parse } from '../../../src/report/ndjson.ts'
import { sample } from '../../report/sample.ts'

const load = open(
  warmUp(ramp({ from: 50, to: 500, seconds: 3 })),
  hold({ rate: 500, seconds: 10 }),
  ramp({ from: 500, to: 0, seconds: 2 })
)
const workers = [{}, { pauses: [{ atMs: -4, ms: 12 }] }]
const result = { workers } as unknown as LoadResult

test('events are where a level changes and where a worker paused, by the load’s own time', () => {
  expect(eventRecords('s', load, result)).toMatchObject([
    { kind: 'ramp', fromMs: 0, toMs: 3_000, text: 'from 50 to 500 a second' },
    { kind: 'ramp', fromMs: 13_000, toMs: 15_000, text: 'from 500 to 0 a second' },
    { kind: 'gc', fromMs: 0, toMs: 8, text: 'the generator paused for 12 ms to collect garbage' }
  ])
})

test('they are read back as they were written', () => {
  const events = eventRecords('s', load, result)
  const text = [sample().header, ...events].map(line).join('')
  expect(parse(text, 'results.ndjson').events).toEqual(events)
})
