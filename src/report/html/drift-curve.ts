import { series } from '../../verdict/drift-metric.ts'
import { type MetricDrift, warmUp } from '../../verdict/judge-drift.ts'
import type { Stretch } from '../../verdict/stretch.ts'
import { duration } from '../quantity.ts'
import { amount, reach, remark } from '../soak-text.ts'
import { type Markup, markup } from './markup.ts'

type Point = { time: number; value: number }
type Frame = { from: number; to: number; lowest: number; highest: number }

const room = 160

const round = (value: number) => Math.round(value * 100) / 100

/** What a curve spans; a level one is given some room, or noise would look like mountains. */
function framing(points: readonly Point[], { level, margin }: MetricDrift): Frame {
  const values = points.map(({ value }) => value)
  const [from, to] = [points[0]!.time, points.at(-1)!.time]
  const pad = Math.max(margin * (to - from), Math.abs(level) * 0.02, 1e-9)
  return {
    ...{ from, to },
    lowest: Math.max(0, Math.min(...values) - pad / 4),
    highest: Math.max(Math.max(...values), level) + pad / 4
  }
}

const x = (time: number, { from, to }: Frame) => round((100 * (time - from)) / (to - from))
const y = (value: number, { lowest, highest }: Frame) =>
  round(100 - (100 * (value - lowest)) / (highest - lowest))

/** The line of the slope, through the middle of what was judged. */
function slopeLine({ slope, level }: MetricDrift, frame: Frame): Markup {
  const begin = frame.from + warmUp * (frame.to - frame.from)
  const middle = (begin + frame.to) / 2
  const at = (time: number) => `${x(time, frame)},${y(level + slope * (time - middle), frame)}`
  return markup`<polyline class="slope" points="${at(begin)} ${at(frame.to)}"/>`
}

/** What the lines of the curves are, once for all of them. */
export const driftKeys = markup`<p class="keys"><span class="key response">measured</span>
<span class="key slope">trend after the warm-up, which is judged</span></p>`

/** One metric of a soak over the hours: its floors or medians, its slope, its warm-up. */
export function driftCurve(
  name: string,
  drift: MetricDrift,
  stretches: readonly Stretch[]
): Markup | undefined {
  const points = series(stretches, name)
  if (points.length < 2) return
  const frame = framing(points, drift)
  const line = points.map(({ time, value }) => `${x(time, frame)},${y(value, frame)}`).join(' ')
  const step = drift.stepAt !== undefined && x(drift.stepAt, frame)
  const { unit, slope, verdict, gates, margin } = drift
  const hours = frame.to - frame.from
  const notes = [gates ? verdict : `${verdict}, does not decide`, remark(drift)]
  return markup`<figure class="curve drift">
<h3><code>${name}</code> <small>${notes.filter((note) => note !== '').join(', ')}</small></h3>
<svg class="framed" role="img"
aria-label="${name} over ${duration(hours * 3_600_000)}" width="100%"
  height="${room + 24}">
<rect class="band" x="0" y="0" width="${round(100 * warmUp)}%" height="${room}"/>
<svg x="0" y="0" width="100%" height="${room}" viewBox="0 0 100 100" preserveAspectRatio="none">
<polyline class="response" points="${line}"/>
${slopeLine(drift, frame)}
${step !== false && markup`<polyline class="step" points="${step},0 ${step},100"/>`}
</svg>
<text class="on-axis" x="0" dx="-6" y="12">${amount(frame.highest, unit)}</text>
<text class="on-axis" x="0" dx="-6" y="${room}">${amount(frame.lowest, unit)}</text>
<text x="4" y="${room + 18}">warm-up</text>
<text x="100%" y="${room + 18}" text-anchor="end">${duration(frame.to * 3_600_000)}</text>
</svg>
<figcaption>${amount(slope, unit)} an hour, surely within ${reach(drift)};
${amount(margin, unit)} is let through</figcaption>
</figure>`
}
