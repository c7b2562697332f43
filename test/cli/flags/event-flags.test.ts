import { expect, test } from 'vitest'
import yargs from 'yargs'
import { eventFlags, eventsOf } from '../../../src/cli/flags/event-flags.ts'

const parsed = (words: string[]) =>
  eventsOf(eventFlags(yargs().exitProcess(false)).fail(false).parseSync(words))

test.each([
  [[], undefined],
  [['--events'], {}],
  [['--events', '--until', '20'], { until: 20 }],
  [['--events', '--until', '1m30s'], { seconds: 90 }],
  [['--events', '--until', '[DONE]', '--tokens'], { until: '[DONE]', tokens: true }],
  [['--events', '--until', '"[DONE]"'], { until: '[DONE]' }],
  [['--events', '--until', '"20"'], { until: '20' }],
  [['--events', '--until', '""20""'], { until: '"20"' }],
  [['--events', '--reconnects', '3'], { reconnects: 3 }]
])('%j listens by %j', (words, events) => {
  expect(parsed(words)).toEqual(events)
})

test.each([
  [['--until', '20'], /^--until is about event streams: give --events too$/],
  [['--tokens'], /^--tokens is about/],
  [['--events', '--until', '0'], /^--until 0 is no number of events/],
  [['--events', '--until=-3'], /^--until -3 is no number of events/],
  [['--events', '--until', '10s5'], /^--until "10s5" is no duration/],
  [['--events', '--reconnects', '0'], /^--reconnects must be a whole number from 1 to /]
])('%j is refused', (words, message) => {
  expect(() => parsed(words)).toThrow(message)
})
