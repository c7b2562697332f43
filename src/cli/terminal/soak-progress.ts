import { duration, grouped, latency } from '../../report/quantity.ts'
import { amount } from '../../report/soak-text.ts'
import { driftMetric } from '../../verdict/drift-metric.ts'
import { latencies, type Stretch } from '../../verdict/stretch.ts'
import { createProgress } from './progress.ts'

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

/** A view of a soak that has `fromSeconds` behind it. */
export function createSoakProgress(options: {
  fromSeconds: number
  seconds: number
  json: boolean
}): SoakProgress {
  const { seconds, json } = options
  const { show, note, end } = createProgress({ stream: process.stderr, silent: json, plainMs })
  let elapsed = options.fromSeconds
  let endedAt = performance.now()
  let last: string[] = []
  // What was measured is from the last whole stretch; time goes on meanwhile.
  const draw = () => {
    const now = elapsed * 1_000 + performance.now() - endedAt
    show([`${duration(now)} of ${duration(seconds * 1_000)}`, ...last].join('   '))
  }
  const ticking = setInterval(draw, 1_000)
  return {
    onStretch(stretch) {
      elapsed += stretch.seconds
      endedAt = performance.now()
      last = [...answersOf(stretch), ...figuresText(stretch)]
      draw()
    },
    note,
    end() {
      clearInterval(ticking)
      end()
    }
  }
}
