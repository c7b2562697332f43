import type { Clock } from '../../src/clock.ts'
import { createExecutor } from '../../src/load/arrivals/models.ts'
import type { Timeline } from '../../src/load/arrivals/timeline.ts'
import type { Distribution } from '../../src/load/figures/histogram.ts'
import { createMetrics, type Tally } from '../../src/load/figures/metrics.ts'
import { createRecorder } from '../../src/load/figures/recorder.ts'
import { createSample } from '../../src/load/figures/sample.ts'
import { createLiveCounters, createLiveMemory } from '../../src/load/health/live-counters.ts'
import type { Load } from '../../src/load/load.ts'
import { partOf, type Share } from '../../src/load/share.ts'

/** What happens this often at one moment waits for the next, which comes so much later. */
const [mostAtOnce, passingMs] = [200, 1e-6]

/** Promises that hang on one another are settled within so many turns. */
const turnsAtOnce = 30

/** Time that passes only when nothing is left to do, and then at once. */
export type VirtualTime = Timeline & {
  /** How often somebody would have slept until a moment, and not kept the loop turning. */
  sleeps(): number
  /** The same time as a clock. */
  clock: Clock
  /** Goes on from event to event until there is none. */
  pass(): Promise<void>
  /** Goes on from event to event until some work is done. */
  during<Value>(work: Promise<Value>): Promise<Value>
}

export function createVirtualTime(): VirtualTime {
  const calls: { ms: number; order: number; call: () => void }[] = []
  let now = 0
  let order = 0
  let atOnce = 0
  let sleeps = 0
  const at = (ms: number, call: () => void) => {
    if (ms < Infinity) calls.push({ ms: Math.max(ms, now), order: order++, call })
  }
  const step = () => {
    calls.sort((one, other) => one.ms - other.ms || one.order - other.order)
    const next = calls.shift()
    if (next === undefined) return false
    atOnce = next.ms === now ? atOnce + 1 : 0
    // Sums of times can be short of a moment by less than a number can tell; real time passes it.
    now = next.ms + (atOnce > mostAtOnce ? passingMs : 0)
    next.call()
    return true
  }
  const until = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      signal?.addEventListener('abort', () => resolve())
      if (signal?.aborted) resolve()
      else at(ms, resolve)
    })
  return {
    now: () => now,
    clock: { now: () => now, until },
    at,
    wakeAt(ms, call) {
      sleeps++
      at(ms, call)
    },
    sleeps: () => sleeps,
    wakingMs: () => 0,
    after: (ms, call) => at(now + ms, call),
    async pass() {
      // What was promised comes first, as it would in the event loop.
      do await null
      while (step())
    },
    async during(work) {
      let isOver = false
      const end = () => {
        isOver = true
      }
      work.then(end, end)
      while (!isOver) {
        // What was promised comes first; what takes longer than that is not of this time.
        for (let turn = 0; turn < turnsAtOnce; turn++) await null
        if (!isOver && !step()) await new Promise(setImmediate)
      }
      return work
    }
  }
}

/** How long a simulated server takes for the n-th iteration, sent at that moment; its status. */
export type Law = (n: number, sentMs: number) => number | { ms: number; status: number }

/** What a simulated load found. */
export type Simulated = {
  tally: Tally
  lag: Distribution
  begun: number
  unfinished: number
  sleeps: number
  /** The numbers and due moments of all iterations, in the order they were begun. */
  asked: { n: number; due: number }[]
}

/**
 * Carries out a load against a server that is only a law: as many requests as there are
 * connections are served at a time, the others wait; time is virtual, so that nothing is late.
 */
export async function simulate(
  load: Load,
  law: Law,
  share: Share = { index: 0, count: 1 }
): Promise<Simulated> {
  const timeline = createVirtualTime()
  const metrics = createMetrics()
  const live = createLiveCounters(createLiveMemory())
  const recorder = createRecorder({ phases: load.phases, metrics, live })
  const sample = createSample()
  const asked: Simulated['asked'] = []
  const waiting: { n: number; due: number; token: number }[] = []
  let free = partOf(load, share).connections
  const executor = createExecutor({
    ...{ load, part: partOf(load, share), share, seed: 1, timeline, stopped: () => false },
    recorder: { lag: recorder.lag, drop: () => recorder.drop(timeline.now()) }
  })
  const serve = () => {
    while (free > 0 && waiting.length > 0) {
      const { n, due, token } = waiting.shift()!
      const sent = timeline.now()
      free--
      const answer = law(n, sent)
      const { ms, status } = typeof answer === 'number' ? { ms: answer, status: 200 } : answer
      timeline.after(ms, () => {
        free++
        const end = timeline.now()
        Object.assign(sample, { token, due, sent, end, first: end, status })
        recorder.record(sample)
        executor.finished(token, end)
        serve()
      })
    }
  }
  const run = executor.run({
    begin(n, due, token) {
      asked.push({ n, due })
      waiting.push({ n, due, token })
    },
    flush: serve
  })
  await timeline.pass()
  return {
    tally: metrics.tally(),
    lag: recorder.lags(),
    begun: executor.begun(),
    unfinished: await run,
    sleeps: timeline.sleeps(),
    asked
  }
}
