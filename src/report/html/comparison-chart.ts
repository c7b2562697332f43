import type { ComparisonFound } from '../../verdict/command-found.ts'
import { pairMetrics } from '../../verdict/pair-metric.ts'
import type { ToldRatio } from '../../verdict/pair-ratios.ts'
import { change, changes, grouped, latency } from '../quantity.ts'
import { type Markup, markup } from './markup.ts'

const room = 220

/** Pairs that are drawn; what is beyond is in the interval all the same. */
const mostPairs = 600

const round = (value: number) => Math.round(value * 100) / 100

/** A comparison as its pairs, in the order taken, with the interval, no change, and the budget. */
export function comparisonChart(found: ComparisonFound): Markup {
  const { pairs: all, interval, ratio, metric, metrics } = found
  const pairs = all.filter(({ ratio }) => ratio > 0 && Number.isFinite(ratio)).slice(0, mostPairs)
  return markup`${pairs.length > 0 && drawing(found, pairs)}
${
  interval !== undefined &&
  ratio !== undefined &&
  markup`<p>${metric} of B is ${change(ratio)} against A, surely within ${changes(interval)};
up to ${change(allowedOf(found))} is let through.</p>`
}
${table(metrics)}`
}

/** The ratio at which B is worse by the whole budget. */
function allowedOf({ metric, budget }: ComparisonFound): number {
  const worse = 1 + budget / 100
  return pairMetrics[metric].worse === 'less' ? 1 / worse : worse
}

/** A ratio's height, by its logarithm: twice as slow is as far from none as twice as fast. */
function heights(ratios: readonly number[]): { y: (ratio: number) => number; ends: number[] } {
  const logs = ratios.map((one) => Math.log(one)).sort((one, other) => one - other)
  // One pair in fifty on either side may lie beyond the frame: a stall would flatten all others.
  const at = (share: number) => logs[Math.round(share * (logs.length - 1))]!
  const reach = 1.15 * Math.max(Math.abs(at(0.02)), Math.abs(at(0.98)), 0.01)
  const y = (ratio: number) => {
    const height = Math.min(reach, Math.max(-reach, Math.log(ratio)))
    return round(room / 2 - (room / 2) * (height / reach))
  }
  return { y, ends: [Math.exp(reach), Math.exp(-reach)] }
}

function drawing(found: ComparisonFound, pairs: ComparisonFound['pairs']): Markup {
  const { interval, metric } = found
  const allowed = allowedOf(found)
  const { y, ends } = heights([...pairs.map(({ ratio }) => ratio), allowed, ...(interval ?? [])])
  const x = (place: number) => round(1 + (98 * (place + 0.5)) / pairs.length)
  const first = pairs.findIndex(({ confirms }) => confirms)
  return markup`<figure class="pairs">
<svg class="framed" role="img"
aria-label="B against A in ${pairs.length} pairs; the table below has the numbers"
width="100%" height="${room + 24}">
${
  interval &&
  markup`<rect class="band" x="0" width="100%" y="${y(interval[1])}"
height="${round(Math.max(1, y(interval[0]) - y(interval[1])))}"/>`
}
<line class="grid" x1="0" x2="100%" y1="${y(1)}" y2="${y(1)}"/>
<line class="budget" x1="0" x2="100%" y1="${y(allowed)}" y2="${y(allowed)}"/>
${
  first > 0 &&
  markup`<line class="event" x1="${x(first - 0.5)}%" x2="${x(first - 0.5)}%" y1="0" y2="${room}"/>
<text x="${x(first - 0.5)}%" dx="4" y="${room + 16}">seen again</text>`
}
${pairs.map(
  ({ ratio, confirms }, place) =>
    markup`<circle class="pair${confirms && ' again'}" cx="${x(place)}%" cy="${y(ratio)}" r="3">
<title>pair ${place + 1}: ${change(ratio)}</title></circle>`
)}
<text class="on-axis" x="0" dx="-6" y="12">${change(ends[0]!)}</text>
<text class="on-axis" x="0" dx="-6" y="${y(1) + 4}">no change</text>
<text class="on-axis" x="0" dx="-6" y="${room}">${change(ends[1]!)}</text>
<text x="100%" y="${y(allowed) - 4}" text-anchor="end">budget ${change(allowed)}</text>
</svg>
<figcaption>${metric} of B against A: a dot for each of ${grouped(pairs.length)} pairs, in the order
taken${
    interval && '; the strip is where the ratio surely lies'
  }${first > 0 && ', and orange dots are of the time when it was measured again'}</figcaption>
</figure>`
}

function amount(value: number, unit: string): string {
  if (unit.startsWith('µs')) return `${latency(value)}${unit.slice(2)}`
  if (unit === 'bytes') return `${grouped(Math.round(value / 100_000) / 10)} MB`
  return `${grouped(Number(value.toPrecision(4)))} ${unit}`
}

function table(metrics: ComparisonFound['metrics']): Markup | undefined {
  const rows = Object.entries(metrics) as [string, ToldRatio][]
  if (rows.length === 0) return undefined
  return markup`<div class="scroll" tabindex="0" role="group" aria-label="table">
<table class="numbers">
<thead><tr><th scope="col">metric</th><th scope="col">A</th><th scope="col">B</th>
<th scope="col">B against A</th><th scope="col">surely within</th></tr></thead>
<tbody>${rows.map(
    ([name, { a, b, unit, ratio, interval }]) => markup`<tr><th scope="row">${name}</th>
<td>${amount(a, unit)}</td><td>${amount(b, unit)}</td><td>${change(ratio)}</td>
<td>${changes(interval)}</td></tr>`
  )}</tbody></table></div>`
}
