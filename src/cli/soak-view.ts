import { createLogUpdate } from 'log-update'
import { duration, grouped, latency } from '../report/quantity.ts'
import { amount } from '../report/soak-text.ts'
import { driftMetric } from '../verdict/drift-metric.ts'
import { latencies, type Stretch } from '../verdict/stretch.ts'

/** How a soak goes just now, on stderr: a moving line, or one now and then where none can move. */
export type SoakView = {
  onStretch(stretch: Stretch): void
  note(text: string): void
  end(): void
}

const plainEveryMs = 30_000

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
export function createSoakView(options: {
  fromSeconds: number
  seconds: number
  json: boolean
}): SoakView {
  const stream = process.stderr
  const { seconds, json } = options
  const live = stream.isTTY && !json ? createLogUpdate(stream) : undefined
  let elapsed = options.fromSeconds
  let drawn = -Infinity
  return {
    onStretch(stretch) {
      elapsed += stretch.seconds
      const now = performance.now()
      if (json || (!live && now - drawn < plainEveryMs)) return
      drawn = now
      const time = `${duration(elapsed * 1_000)} of ${duration(seconds * 1_000)}`
      const text = [time, ...answersOf(stretch), ...figuresText(stretch)].join('   ')
      if (live) live(text)
      else stream.write(`${text}\n`)
    },
    note: (text) => void stream.write(`${text}\n`),
    end() {
      live?.clear()
      live?.done()
    }
  }
}
