import type { Histogram } from 'hdr-histogram-js'
import { hdr } from '../../load/figures/hdr.ts'
import { grouped, latency } from '../quantity.ts'
import type { HistogramRecord } from '../record.ts'
import { type Markup, markup } from './markup.ts'

type Curve = { name: HistogramRecord['name']; histogram: Histogram }
type Frame = { nines: number; lowest: number; highest: number }

const meanings = {
  response: 'from when a request was due: what a user waits',
  service: 'from when it was sent: what the target takes'
}

/** The latency distributions of one load, as curves over ever rarer percentiles and as a table. */
export function percentileCurve(records: readonly HistogramRecord[]): Markup {
  const curves = records.map(({ name, encoded }) => ({
    name,
    histogram: hdr().decodeFromCompressedBase64(encoded)
  }))
  const filled = curves.filter(({ histogram }) => histogram.totalCount > 0)
  if (filled.length === 0) return markup`<p>No request was answered.</p>`
  const frame = framing(filled)
  return markup`<figure class="curve">
<figcaption><b>latency by percentile</b>: within which time that share of requests was
answered</figcaption>
<svg class="framed" role="img"
aria-label="Latency by percentile; the table below has the numbers"
  width="100%" height="240">
${latencyTicks(frame)}
${percentileTicks(frame)}
<svg x="0" y="0" width="100%" height="200" viewBox="0 0 100 100" preserveAspectRatio="none">
${filled.map((curve) => path(curve, frame))}
</svg>
</svg>
<figcaption>${filled.map(
    ({ name }) => markup`<span class="key ${name}"><b>${name}</b> ${meanings[name]}</span> `
  )}</figcaption>
</figure>
${table(filled)}`
}

/** What the curves span: as many nines as the counts bear out, and all latencies. */
function framing(curves: readonly Curve[]): Frame {
  const histograms = curves.map(({ histogram }) => histogram)
  const lowest = Math.max(1, Math.min(...histograms.map((one) => one.minNonZeroValue)))
  const highest = Math.max(...histograms.map((one) => one.maxValue))
  const most = Math.max(...histograms.map((one) => one.totalCount))
  const nines = Math.min(5, Math.max(1, Math.log10(most)))
  return { nines, lowest: lowest / 1.1, highest: Math.max(highest, lowest) * 1.1 }
}

/** Percentage from the top at which a latency stands. */
function height(us: number, { lowest, highest }: Frame): number {
  return 100 - (100 * Math.log(Math.max(us, lowest) / lowest)) / Math.log(highest / lowest)
}

function path({ name, histogram }: Curve, frame: Frame): Markup {
  const points = Array.from({ length: 121 }, (_, index) => {
    const percentile = 100 * (1 - 10 ** (-(index / 120) * frame.nines))
    const y = height(histogram.getValueAtPercentile(percentile), frame)
    return `${round((index / 120) * 100)},${round(y)}`
  })
  return markup`<polyline class="${name}" points="${points.join(' ')}"/>`
}

/** Lines at 1, 2 and 5 of each power of ten; in a wide span only at the powers. */
function latencyTicks(frame: Frame): Markup[] {
  const { lowest, highest } = frame
  const factors = highest / lowest > 200 ? [1] : [1, 2, 5]
  const powers = Array.from({ length: 11 }, (_, index) => 10 ** index)
  return powers
    .flatMap((power) => factors.map((factor) => factor * power))
    .filter((us) => us >= lowest && us <= highest)
    .map((us) => {
      const y = height(us, frame) * 2
      return markup`<line class="grid" x1="0" x2="100%" y1="${round(y)}" y2="${round(y)}"/>
<text class="on-axis" x="0" dx="-6" y="${round(y + 4)}">${latency(us)}</text>`
    })
}

function percentileTicks({ nines }: Frame): Markup[] {
  const all = [90, 99, 99.9, 99.99, 99.999].slice(0, Math.floor(nines + 0.01))
  return all.map((percentile, index) => {
    const x = `${round((100 * (index + 1)) / nines)}%`
    const anchor = index + 1 > nines - 0.2 ? 'end' : 'middle'
    return markup`<line class="grid" x1="${x}" x2="${x}" y1="0" y2="200"/>
<text x="${x}" y="218" text-anchor="${anchor}">${percentile} %</text>`
  })
}

function table(curves: readonly Curve[]): Markup {
  const percentiles = [50, 90, 99, 99.9]
  return markup`<div class="scroll" tabindex="0" role="group" aria-label="table">
<table class="numbers">
<thead><tr><th scope="col">latency</th><th scope="col">requests</th>
${percentiles.map((percentile) => markup`<th scope="col">${percentile} %</th>`)}
<th scope="col">max</th></tr></thead>
<tbody>${curves.map(
    ({
      name,
      histogram
    }) => markup`<tr><th scope="row">${name}</th><td>${grouped(histogram.totalCount)}</td>
${percentiles.map((one) => markup`<td>${latency(histogram.getValueAtPercentile(one))}</td>`)}
<td>${latency(histogram.maxValue)}</td></tr>`
  )}</tbody>
</table></div>`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
