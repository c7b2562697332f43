import { createClosed } from '../../src/load/closed.ts'
import type { Executor } from '../../src/load/executor.ts'
import type { Distribution } from '../../src/load/histogram.ts'
import { createLive, createLiveMemory } from '../../src/load/live.ts'
import type { Load } from '../../src/load/load.ts'
import { createMetrics, type Tally } from '../../src/load/metrics.ts'
import { createOpen } from '../../src/load/open.ts'
import { createPacer } from '../../src/load/pacer.ts'
import { createRecorder } from '../../src/load/recorder.ts'
import { createSample } from '../../src/load/sample.ts'
import { partOf, type Share } from '../../src/load/share.ts'
import type { Timeline } from '../../src/load/timeline.ts'

/** Time that passes only when nothing is left to do, and then at once. */
export type VirtualTime = Timeline & {
  /** Goes on from event to event until there is none. */
  pass(): Promise<void>
}

export function createVirtualTime(): VirtualTime {
  const calls: { ms: number; order: number; call: () => void }[] = []
  let now = 0
  let order = 0
  const at = (ms: number, call: () => void) => {
    if (ms < Infinity) calls.push({ ms: Math.max(ms, now), order: order++, call })
  }
  return {
    now: () => now,
    startAt: () => {},
    at,
    after: (ms, call) => at(now + ms, call),
    async pass() {
      for (;;) {
        // What was promised comes first, as it would in the event loop.
        await null
        calls.sort((one, other) => one.ms - other.ms || one.order - other.order)
        const next = calls.shift()
        if (next === undefined) return
        now = next.ms
        next.call()
      }
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
  /** The numbers and due moments of all iterations, in the order they were begun. */
  asked: { n: number; due: number }[]
}

function createExecutor(
  load: Load,
  parts: {
    share: Share
    timeline: Timeline
    onLag: (due: number, ms: number) => void
    onDrop: () => void
  }
): Executor {
  const part = partOf(load, parts.share)
  const conditions = { ...parts, stopped: () => false }
  if (part.model === 'closed') return createClosed({ ...conditions, load: part, seed: 1 })
  const pacer = createPacer({ phases: load.phases, seed: 1 })
  return createOpen({ ...conditions, load: part, pacer })
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
  const live = createLive(createLiveMemory())
  const recorder = createRecorder({ phases: load.phases, metrics, live })
  const sample = createSample()
  const asked: Simulated['asked'] = []
  const waiting: { n: number; due: number; token: number }[] = []
  let free = partOf(load, share).connections
  const executor = createExecutor(load, {
    share,
    timeline,
    onLag: recorder.lag,
    onDrop: () => recorder.drop(timeline.now())
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
    asked
  }
}
