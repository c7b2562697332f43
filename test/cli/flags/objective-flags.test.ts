import { expect, test } from 'vitest'
import yargs from 'yargs'
import { objectiveFlags, objectivesOf } from '../../../src/cli/flags/objective-flags.ts'

const parsed = (words: string[]) =>
  objectivesOf(objectiveFlags(yargs().exitProcess(false)).parseSync(words))

test.each([
  [[], {}],
  [['--p99', '20'], { p99Ms: 20, errorRatio: 0.001, droppedRatio: 0.001 }],
  [['--p95=1.5s', '--errors', '1'], { p95Ms: 1_500, errorRatio: 0.01, droppedRatio: 0.01 }],
  [['--max', '20ms', '--errors=0%'], { maxMs: 20, errorRatio: 0, droppedRatio: 0 }],
  [['--rps', '10.5'], { perSecond: 10.5, errorRatio: 0.001, droppedRatio: 0.001 }]
])('%j are the objectives %j', (words, objectives) => {
  expect(parsed(words)).toEqual(objectives)
})
