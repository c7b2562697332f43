import { expect, test } from 'vitest'
import type { Outcome } from '../../../../src/platform/functions/isolate/contract.ts'
import { createLifecycle } from '../../../../src/platform/functions/isolate/lifecycle.ts'
import { createVirtualClock } from './virtual-clock.ts'

type Given = { waitUntilMs?: number; durationMs?: number }

function begin({ waitUntilMs = 30_000, durationMs }: Given = {}) {
  const clock = createVirtualClock()
  const outcomes: Outcome[] = []
  const lifecycle = createLifecycle({
    clock,
    limits: { waitUntilMs, durationMs },
    finish: (outcome) => outcomes.push(outcome)
  })
  return { ...lifecycle, clock, outcomes }
}

type Begun = ReturnType<typeof begin>
type Move = (of: Begun) => unknown

const ended: Move = (of) => of.ended('ok')
const threw: Move = (of) => of.ended('exception')
const gone: Move = (of) => of.gone()
const stop: Move = (of) => of.stop('exceededCpu')
const waiting =
  (promises: number): Move =>
  (of) =>
    of.waiting(promises)
const forward =
  (seconds: number): Move =>
  (of) =>
    of.clock.forward(seconds * 1_000)

test.each<{ what: string; given?: Given; moves: Move[]; outcomes: Outcome[] }>([
  { what: 'nothing ends by itself', moves: [forward(1e6)], outcomes: [] },
  { what: 'an answer ends it', moves: [ended], outcomes: ['ok'] },
  { what: 'an exception ends it', moves: [threw], outcomes: ['exception'] },
  { what: 'a client that leaves ends it', moves: [gone], outcomes: ['canceled'] },
  { what: 'what has ended does not end again', moves: [ended, gone, stop], outcomes: ['ok'] },
  { what: 'it can be stopped', moves: [stop, ended], outcomes: ['exceededCpu'] },
  { what: 'a promise delays the end', moves: [waiting(1), ended, forward(29.9)], outcomes: [] },
  { what: '… until it settles', moves: [waiting(1), ended, waiting(0)], outcomes: ['ok'] },
  {
    what: '… until all have',
    moves: [waiting(1), waiting(2), ended, waiting(1), forward(1)],
    outcomes: []
  },
  {
    what: '… or for 30 seconds',
    moves: [waiting(1), ended, forward(30)],
    outcomes: ['waitUntilTimeout']
  },
  {
    what: '… that begin with the end',
    moves: [waiting(1), forward(100), ended, forward(29.9)],
    outcomes: []
  },
  {
    what: 'a promise delays being cancelled',
    moves: [waiting(1), gone, forward(20)],
    outcomes: []
  },
  {
    what: '… until it settles',
    moves: [waiting(1), gone, forward(20), waiting(0)],
    outcomes: ['canceled']
  },
  { what: '… or for 30 seconds', moves: [waiting(1), gone, forward(30)], outcomes: ['canceled'] },
  {
    what: 'promises that settle before the end change nothing',
    moves: [waiting(1), waiting(0), forward(60), ended],
    outcomes: ['ok']
  },
  {
    what: 'what waits can be stopped',
    moves: [waiting(1), ended, stop],
    outcomes: ['exceededCpu']
  },
  {
    what: 'a limit of duration ends it',
    given: { durationMs: 900_000 },
    moves: [forward(899), forward(1)],
    outcomes: ['exceededDuration']
  },
  {
    what: '… but not before',
    given: { durationMs: 900_000 },
    moves: [forward(899)],
    outcomes: []
  },
  {
    what: 'without any time for them promises are cut off',
    given: { waitUntilMs: 0 },
    moves: [waiting(1), ended, forward(0)],
    outcomes: ['waitUntilTimeout']
  },
  {
    what: 'without a limit they delay for ever',
    given: { waitUntilMs: Infinity },
    moves: [waiting(1), ended, forward(1e6)],
    outcomes: []
  }
])('$what', async ({ given, moves, outcomes }) => {
  const lifecycle = begin(given)
  for (const move of moves) await move(lifecycle)
  expect(lifecycle.outcomes).toEqual(outcomes)
})
