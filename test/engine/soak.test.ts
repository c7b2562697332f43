import { expect, test } from 'vitest'
import { createDeadline } from '../../src/engine/deadline.ts'
import { type SoakOptions, soak, stretchSeconds } from '../../src/engine/soak.ts'
import type { LoadResult } from '../../src/load/figures/result.ts'
import { durationMs, hold, type Load, open } from '../../src/load/load.ts'
import { noConnections } from '../../src/load/transports/transport.ts'
import type { Stretch } from '../../src/verdict/stretch.ts'
import { simulate } from '../load/virtual.ts'
import { createVirtualClock } from './virtual-arms.ts'

/** A soak of a simulated target that answers in a millisecond, in virtual time. */
async function soaking(
  { within = 12, ...changes }: Partial<SoakOptions> & { within?: number } = {},
  { drainMs = 0, ...told }: Partial<LoadResult> & { drainMs?: number } = {},
  results?: Record<string, number>
) {
  const clock = {
    ...createVirtualClock(),
    // Nobody looks at the clock before a stretch is over.
    until: (_: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal!.aborted) resolve()
        signal!.addEventListener('abort', () => resolve())
      })
  }
  const loads: Load[] = []
  const kept: Stretch[] = []
  const seeds: number[] = []
  const ended = await soak({
    async trial(load, seed) {
      loads.push(load)
      seeds.push(seed)
      const found = await simulate(load, () => 1)
      clock.pass(durationMs(load.phases) + drainMs)
      const tally = results ? { ...found.tally, results } : found.tally
      return {
        ...{ model: 'open', workers: [], faults: {}, durationMs: durationMs(load.phases) },
        ...{ connections: noConnections(), health: { valid: true, reasons: [] } },
        ...{ begun: found.begun, unfinished: 0, tally, ...told }
      }
    },
    loadFor: (seconds) => open(hold({ rate: 20, seconds })),
    figures: async () => ({ values: { rss: clock.now() }, process: '1', cpuUs: clock.now() }),
    ...{ fromSeconds: 0, seconds: 10, stretchSeconds: 3, seed: 5, clock },
    deadline: createDeadline(within, { clock }),
    stopped: () => false,
    keep: (stretch) => kept.push(stretch),
    ...changes
  })
  return { ended, loads, kept, seeds }
}

const lengths = (loads: readonly Load[]) =>
  loads.map(({ phases }) => Number((durationMs(phases) / 1_000).toFixed(3)))

test('a soak is stretches up to its length, each with its own seed', async () => {
  const { ended, loads, kept, seeds } = await soaking()
  expect(ended).toBe('whole')
  expect(lengths(loads)).toEqual([3, 3, 3, 1])
  expect(seeds).toEqual([5, 6, 7, 8])
  expect(kept.map(({ load }) => load!.requests)).toEqual([60, 60, 60, 20])
  expect(kept[1]).toMatchObject({ voidSeconds: 0, process: '1' })
})

test('one that goes on sends what is missing', async () => {
  const { loads } = await soaking({ fromSeconds: 6 })
  expect(lengths(loads)).toEqual([3, 1])
  expect((await soaking({ fromSeconds: 10 })).loads).toEqual([])
})

test('a stretch that is cut short is not kept', async () => {
  let asked = 0
  const { ended, loads, kept } = await soaking({ stopped: () => ++asked > 2 })
  expect(ended).toBe('interrupted')
  expect(loads).toHaveLength(3)
  expect(kept).toHaveLength(2)
})

test('it is over at its deadline, with stretches that are over before it', async () => {
  const { ended, loads, kept } = await soaking({ within: 5 })
  expect(ended).toBe('whole')
  expect(lengths(loads)).toEqual([3, 1.9])
  expect(kept).toHaveLength(2)
})

test('a stretch that the deadline cuts short is kept when it was waiting for answers', async () => {
  let asked = 0
  const deadline = { seconds: 12, leftMs: () => (asked > 0 ? 0 : 12_000) }
  const stopped = () => ++asked > 0
  const cut = await soaking({ stopped, deadline })
  expect([cut.ended, cut.kept.length]).toEqual(['whole', 0])
  asked = 0
  const waiting = { begun: 60, unfinished: 20, drainMs: 4_000 }
  const { kept } = await soaking({ stopped, deadline }, waiting, { 200: 40 })
  const counts = { requests: 60, failures: 20, answers: 40 }
  expect(kept.map(({ load }) => load)).toMatchObject([counts])
})

test('what the generator spoilt says nothing of answers, and still of memory', async () => {
  const { kept } = await soaking({}, { health: { valid: false, reasons: ['late'] } })
  expect(kept[0]).not.toHaveProperty('load')
  expect(kept[0]!.voidSeconds).toBe(kept[0]!.seconds)
  expect(kept[0]!.floors).toHaveProperty('rss')
})

test('a target that answers nothing at first is not soaked', async () => {
  const { ended, kept } = await soaking({}, {}, { refused: 60 })
  expect(ended).toBe('unanswered')
  expect(kept).toHaveLength(1)
})

test('figures that cannot be read for a fault of ours end it', async () => {
  const failing = soaking({ figures: () => Promise.reject(new Error('no way to read')) })
  await expect(failing).rejects.toThrow('no way to read')
})

test.each([
  [60, 1],
  [600, 5],
  [3_600, 30],
  [86_400, 30]
])('stretches of a soak of %i s last %i s', (seconds, lasting) => {
  expect(stretchSeconds(seconds)).toBe(lasting)
})
