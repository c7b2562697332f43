import { duration, grouped, latency } from '../../report/quantity.ts'
import type { WindowRecord } from '../../report/record.ts'
import { amount } from '../../report/soak-text.ts'
import { driftMetric } from '../../verdict/drift-metric.ts'
import { latencies, type Stretch } from '../../verdict/stretch.ts'
import type { Live } from '../live/live.ts'
import { createLiveView } from './live-view.ts'

/** How a soak goes just now, on stderr: a moving line, or one now and then where none can move. */
export type SoakProgress = {
  onStretch(stretch: Stretch): void
  note(text: string): void
  end(): void
}

const plainMs = 30_000

function answersOf(stretch: Stretch): string[] {
  const { load } = stretch
  if (load === undefined) return ['the generator was at fault']
  const { p50, p99 } = latencies(stretch)!
  return [
    `${grouped(Math.round(load.requests / load.seconds))}/s`,
    ...(p50 === null ? [] : [`p50 ${latency(p50)}`, `p99 ${latency(p99!)}`]),
    `${grouped(load.failures)} failed`
  ]
}

function figuresText({ floors }: Stretch): string[] {
  return Object.entries(floors).map(
    ([name, value]) => `${name} ${amount(value, driftMetric(name).unit)}`
  )
}

/** A view of a soak of `url` that has `fromSeconds` behind it. */
export function createSoakProgress(options: {
  url: string
  fromSeconds: number
  seconds: number
  json: boolean
  page?: Pick<Live, 'tell'>
}): SoakProgress {
  const { url, seconds, json, page } = options
  let elapsed = options.fromSeconds
  let endedAt = performance.now()
  let last: string[] = []
  // What was measured is from the last whole stretch; time goes on meanwhile.
  const facts = (): [string] => {
    const now = elapsed * 1_000 + performance.now() - endedAt
    return [[`${duration(now)} of ${duration(seconds * 1_000)}`, ...last].join('   ')]
  }
  const { draw, note, end } = createLiveView({
    ...{ stream: process.stderr, silent: json, page, everyMs: plainMs, facts }
  })
  return {
    onStretch(stretch) {
      page?.tell(windowOf(url, stretch, elapsed))
      elapsed += stretch.seconds
      endedAt = performance.now()
      last = [...answersOf(stretch), ...figuresText(stretch)]
      draw()
    },
    note,
    end
  }
}

/** A stretch as the live page draws it; nothing is known of what the generator spoilt. */
function windowOf(scenario: string, stretch: Stretch, fromSeconds: number): WindowRecord {
  const { load, seconds } = stretch
  const { p50 = null, p99 = null } = latencies(stretch) ?? {}
  const finished = load?.requests ?? 0
  const spans = { fromMs: fromSeconds * 1_000, toMs: (fromSeconds + seconds) * 1_000 }
  return {
    ...{ t: 'window', scenario, ...spans, finished, measured: finished },
    ...{ failed: load?.failures ?? 0, dropped: 0, inFlight: 0, p50Us: p50, p99Us: p99 }
  }
}
