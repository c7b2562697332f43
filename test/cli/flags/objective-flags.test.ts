import { expect, test } from 'vitest'
import yargs from 'yargs'
import { objectiveFlags, objectivesOf } from '../../../src/cli/flags/objective-flags.ts'
import { closed, hold, open } from '../../../src/load/load.ts'

const parsed = (words: string[]) =>
  objectivesOf(objectiveFlags(yargs().exitProcess(false)).parseSync(words))

const redirectRatio = 0.1

test.each([
  [[], {}],
  [['--p99', '20'], { p99Ms: 20, errorRatio: 0.001, droppedRatio: 0.001, redirectRatio }],
  [
    ['--p99', '20', '--redirects', '100'],
    { p99Ms: 20, errorRatio: 0.001, droppedRatio: 0.001, redirectRatio: 1 }
  ],
  [
    ['--p95=1.5s', '--errors', '1'],
    { p95Ms: 1_500, errorRatio: 0.01, droppedRatio: 0.01, redirectRatio }
  ],
  [['--max', '20ms', '--errors=0%'], { maxMs: 20, errorRatio: 0, droppedRatio: 0, redirectRatio }],
  [['--rps', '10.5'], { perSecond: 10.5, errorRatio: 0.001, droppedRatio: 0.001, redirectRatio }]
])('%j are the objectives %j', (words, objectives) => {
  expect(parsed(words)).toEqual(objectives)
})

test('no more answers can be wanted than are asked for', () => {
  const load = open(hold({ rate: 20, seconds: 3 }))
  const flags = { rps: 20.5 }
  expect(() => objectivesOf(flags, load)).toThrow(/--rps 20.5 wants more .* by --rate 20$/)
  expect(objectivesOf({ rps: 20 }, load)).toMatchObject({ perSecond: 20 })
  expect(objectivesOf(flags, closed({ users: 1, seconds: 1 }))).toMatchObject({ perSecond: 20.5 })
})

test('a time that no response can exceed is no objective', () => {
  // It may wait for a connection for as long as for its answer.
  const load = { ...open(hold({ rate: 20, seconds: 3 })), timeoutMs: 1_000 }
  expect(objectivesOf({ p99: 2_000 }, load)).toMatchObject({ p99Ms: 2_000 })
  expect(() => objectivesOf({ p50: 10, max: 2_001 }, load)).toThrow(
    /^--max 2001 is always kept: .* than 2000 ms, --timeout 1s for a .*; give --timeout 3s$/
  )
})

test('objectives about streams are bounds of figures by name', () => {
  const errors = { errorRatio: 0.001, droppedRatio: 0.001, redirectRatio }
  const words = ['firstEvent p99<=1.5s', 'eventGap p50 <= 20', 'tokenRate p50 >= 20.5']
  const flags = words.flatMap((one) => ['--objective', one])
  const metrics = {
    'firstEvent p99': { atMost: 1_500 },
    'eventGap p50': { atMost: 20 },
    'tokenRate p50': { atLeast: 20.5 }
  }
  expect(parsed(flags)).toEqual({ ...errors, metrics })
  const both = ['--objective', 'events >= 10', '--objective', 'events <= 20']
  expect(parsed(both)).toEqual({ ...errors, metrics: { events: { atLeast: 10, atMost: 20 } } })
})

test.each([
  ['firstEvent p99 < 300', /is none such as "firstEvent p99 <= 300ms"/],
  ['first p99 <= 300', /first p99 is none of firstEvent p50, /],
  ['tokenRate p50 >= 20ms', /tokenRate p50 is told in tokens\/s, not in ms/]
])('%s is no objective', (words, message) => {
  const parse = objectiveFlags(yargs().exitProcess(false)).fail(false)
  expect(() => parse.parseSync(['--objective', words])).toThrow(message)
})
