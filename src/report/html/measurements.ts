import { grouped } from '../quantity.ts'
import type { Report } from '../record.ts'
import { type Markup, markup } from './markup.ts'
import { percentileCurve } from './percentile-curve.ts'
import { timeChart } from './time-chart.ts'

/** Scenarios, distributions and numbers of measurements that are shown. */
const most = 200

/** Distributions and numbers of the scenarios that measured some. */
export function measurements({
  histograms,
  metrics,
  windows = [],
  events = []
}: Report): Markup | undefined {
  const curvesOf = Map.groupBy(histograms, (one) => one.scenario)
  const windowsOf = Map.groupBy(windows, (one) => one.scenario)
  const eventsOf = Map.groupBy(events, (one) => one.scenario)
  const numbersOf = Map.groupBy(metrics, (one) => one.scenario)
  const scenarios = [...new Set([...windowsOf.keys(), ...curvesOf.keys(), ...numbersOf.keys()])]
  if (scenarios.length === 0) return undefined
  const more = scenarios.length - most
  return markup`<section>
<h2>Measurements</h2>
${scenarios.slice(0, most).map((scenario) => {
  const curves = (curvesOf.get(scenario) ?? []).slice(0, most)
  const numbers = (numbersOf.get(scenario) ?? []).slice(0, most)
  return markup`<h3><code>${scenario}</code></h3>
${timeChart(windowsOf.get(scenario) ?? [], eventsOf.get(scenario))}
${curves.length > 0 && percentileCurve(curves)}
${
  numbers.length > 0 &&
  markup`<dl>${numbers.map(
    ({ name, value, unit }) => markup`<dt>${name}</dt><dd>${grouped(value)} ${unit}</dd>`
  )}</dl>`
}`
})}
${more > 0 && markup`<p>And those of ${grouped(more)} more scenarios, in results.ndjson.</p>`}
</section>`
}
