import { duration, grouped, latency } from '../quantity.ts'
import type { EventRecord, WindowRecord } from '../record.ts'
import { type Markup, markup } from './markup.ts'

/** What is drawn below each other, over the same time. */
type Panel = {
  title: string
  lines: { name: string; tone: string; of: (window: WindowRecord) => number | null }[]
  scale: 'linear' | 'logarithmic'
  text: (value: number) => string
}

const room = 110

/** Windows that are drawn of one load. */
const most = 2_400

const round = (value: number) => Math.round(value * 100) / 100
const seconds = ({ fromMs, toMs }: WindowRecord) => Math.max(1, toMs - fromMs) / 1_000
const rate = (value: number) => `${grouped(Number(value.toPrecision(3)))}/s`

const panels: readonly Panel[] = [
  {
    title: 'requests a second',
    lines: [
      { name: 'ended', tone: 'response', of: (one) => one.finished / seconds(one) },
      { name: 'failed', tone: 'failed', of: (one) => one.failed / seconds(one) },
      { name: 'not sent', tone: 'unsent', of: (one) => one.dropped / seconds(one) }
    ],
    scale: 'linear',
    text: rate
  },
  {
    title: 'response time',
    lines: [
      { name: 'p50', tone: 'response', of: ({ p50Us }) => p50Us },
      { name: 'p99', tone: 'service', of: ({ p99Us }) => p99Us }
    ],
    scale: 'logarithmic',
    text: latency
  },
  {
    title: 'in flight',
    lines: [{ name: 'requests', tone: 'response', of: ({ inFlight }) => inFlight }],
    scale: 'linear',
    text: grouped
  }
]

/**
 * A load over time: rate, failures, response times and what was in flight, with the stretch that
 * was not measured shaded and the moments marked at which arrivals could not be sent, or something
 * happened to it.
 */
export function timeChart(
  all: readonly WindowRecord[],
  events: readonly EventRecord[] = []
): Markup | undefined {
  const windows = all.slice(0, most)
  const [first, last] = [windows[0], windows.at(-1)]
  if (first === undefined || last === undefined || windows.length < 3) return undefined
  const [from, to] = [first.fromMs, last.toMs]
  if (!(to > from)) return undefined
  const x = (ms: number) => round((100 * (ms - from)) / (to - from))
  const measuredFrom = windows.find(({ measured }) => measured > 0)?.fromMs ?? to
  const seen = events
    .filter(({ fromMs, toMs }) => toMs >= from && fromMs <= to)
    .map((one) => ({ ...one, fromMs: Math.max(from, one.fromMs), toMs: Math.min(to, one.toMs) }))
  const width = windows[0]!.toMs - windows[0]!.fromMs
  return markup`<div class="time">
${panels.map((panel) => drawn(panel, windows, { x, warmUp: x(measuredFrom), events: seen }))}
<p class="span"><span>${duration(from)}</span><span>${duration(to)}</span></p>
<p class="meaning">${windows.length} stretches of ${duration(width)}${
    measuredFrom > from && '; the shaded beginning was not measured'
  }${windows.some(({ dropped }) => dropped > 0) && '; arrivals that could not be sent are dotted'}${
    all.length > windows.length && `; ${all.length - windows.length} more are in results.ndjson`
  }</p>
${happened(seen)}
</div>`
}

const names: Record<EventRecord['kind'], string> = {
  ramp: 'the level changes',
  gc: 'the generator collects garbage',
  stop: 'ended by hand'
}

/** An event on a chart: a strip as long as it took, and never thinner than can be seen. */
function marked({ kind, fromMs, toMs, text }: EventRecord, x: (ms: number) => number): Markup {
  const width = Math.max(0.2, round(x(toMs) - x(fromMs)))
  return markup`<rect class="happened ${kind}" x="${Math.min(99.8, x(fromMs))}%" y="0"
width="${width}%" height="${room}"><title>${text}</title></rect>`
}

/** What the strips are, and what happened in words. */
function happened(events: readonly EventRecord[]): Markup | undefined {
  if (events.length === 0) return undefined
  const kinds = [...new Set(events.map(({ kind }) => kind))]
  return markup`<p class="meaning">${kinds.map(
    (kind) => markup`<span class="key strip ${kind}">${names[kind]}</span> `
  )}</p>
<details class="evidence"><summary>What happened</summary><ul>${events.map(
    ({ fromMs, text }) => markup`<li>${duration(fromMs)}: ${text}</li>`
  )}</ul></details>`
}

function drawn(
  { title, lines, scale, text }: Panel,
  windows: readonly WindowRecord[],
  { x, warmUp, events }: { x: (ms: number) => number; warmUp: number; events: EventRecord[] }
): Markup | undefined {
  const isLog = scale === 'logarithmic'
  const of = (value: number) => (isLog ? Math.log(Math.max(value, 1)) : value)
  const told = lines
    .map((line) => ({ ...line, points: windows.map((one) => ({ one, value: line.of(one) })) }))
    .filter(({ points }, index) => index === 0 || points.some(({ value }) => (value ?? 0) > 0))
  const values = told.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []))
  if (values.length === 0) return undefined
  const least = values.reduce((one, other) => Math.min(one, other))
  const most = values.reduce((one, other) => Math.max(one, other))
  const [bottom, top] = isLog
    ? [of(least / 1.3), Math.max(of(most * 1.3), of(least / 1.3) + 0.1)]
    : [0, Math.max(most * 1.1, 1)]
  const y = (value: number) => round(100 - (100 * (of(value) - bottom)) / (top - bottom))
  return markup`<figure class="curve">
<figcaption><b>${title}</b> ${told.map(
    ({ name, tone }) => markup`<span class="key ${tone}">${name}</span> `
  )}</figcaption>
<svg class="framed" role="img"
aria-label="${title} over time, from ${text(least)} to ${text(most)}" width="100%"
height="${room}">
${warmUp > 0 && markup`<rect class="band" x="0" y="0" width="${warmUp}%" height="${room}"/>`}
${events.map((one) => marked(one, x))}
<line class="grid" x1="0" x2="100%" y1="${room}" y2="${room}"/>
<line class="grid" x1="0" x2="100%" y1="0" y2="0"/>
<svg x="0" y="0" width="100%" height="${room}" viewBox="0 0 100 100" preserveAspectRatio="none">
${told.map(({ tone, points }) =>
  stretchesOf(points).map((stretch) => {
    const line = stretch.map(({ one, value }) => `${x((one.fromMs + one.toMs) / 2)},${y(value)}`)
    return markup`<polyline class="${tone}" points="${line.join(' ')}"/>`
  })
)}
</svg>
<text class="on-axis" x="0" dx="-6" y="12">${text(isLog ? Math.exp(top) : top)}</text>
<text class="on-axis" x="0" dx="-6" y="${room}">${isLog ? text(Math.exp(bottom)) : '0'}</text>
</svg>
</figure>`
}

type Point = { one: WindowRecord; value: number }

/** Points in a row; where nothing came back the line is interrupted, and not drawn to zero. */
function stretchesOf(points: readonly { one: WindowRecord; value: number | null }[]): Point[][] {
  const stretches: Point[][] = [[]]
  for (const { one, value } of points) {
    if (value === null) stretches.push([])
    else stretches.at(-1)!.push({ one, value })
  }
  return stretches.filter(({ length }) => length > 0)
}
