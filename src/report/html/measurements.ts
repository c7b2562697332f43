import { grouped, latency } from '../quantity.ts'
import type { MetricRecord, Report } from '../record.ts'
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
${numbersPart(numbers)}`
})}
${more > 0 && markup`<p>And those of ${grouped(more)} more scenarios, in results.ndjson.</p>`}
</section>`
}

/** Statistics of one metric that stand beside each other in a row. */
const statistics = ['p50', 'p90', 'p99', 'min', 'max', 'mean']
const statistic = new RegExp(`^(.+) (${statistics.join('|')})$`)

/** Numbers as a list, and those that are statistics of one metric as a row of a table. */
function numbersPart(numbers: readonly MetricRecord[]): Markup {
  const rows = Map.groupBy(numbers, ({ name }) => statistic.exec(name)?.[1])
  const single = rows.get(undefined) ?? []
  rows.delete(undefined)
  return markup`${
    single.length > 0 &&
    markup`<dl>${single.map((one) => markup`<dt>${one.name}</dt><dd>${amount(one)}</dd>`)}</dl>`
  }${rows.size > 0 && statisticsTable(rows as Map<string, MetricRecord[]>)}`
}

function statisticsTable(rows: ReadonlyMap<string, readonly MetricRecord[]>): Markup {
  const all = [...rows.values()].flat()
  const columns = statistics.filter((column) => all.some(({ name }) => name.endsWith(` ${column}`)))
  return markup`<div class="scroll" tabindex="0" role="group" aria-label="table">
<table class="numbers">
<thead><tr><th scope="col">metric</th>${columns.map(
    (column) => markup`<th scope="col">${column}</th>`
  )}</tr></thead>
<tbody>${[...rows].map(
    ([metric, those]) =>
      markup`<tr><th scope="row">${metric}</th>${columns.map((column) => {
        const found = those.find(({ name }) => name === `${metric} ${column}`)
        return markup`<td>${found ? amount(found) : '–'}</td>`
      })}</tr>`
  )}</tbody>
</table></div>`
}

/** A number with its unit, where the unit is not what it is called. */
function amount({ name, value, unit }: MetricRecord): string {
  if (unit === 'ms') return latency(value * 1_000)
  const number = grouped(Number(value.toPrecision(6)))
  if (unit === '1/s') return `${number} a second`
  return unit === name || unit === 'requests' ? number : `${number} ${unit}`
}
