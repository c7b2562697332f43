import type { History, HistoryPoint } from '../verdict/history.ts'
import { shiftText } from './history-text.ts'
import { type Markup, markup } from './html/markup.ts'
import { logo, page } from './html/page.ts'
import { change, changes } from './quantity.ts'

const room = 200

/** Builds in the table; the curve has all of them. */
const mostRows = 2_000

const round = (value: number) => Math.round(value * 100) / 100

/** The level of each build over the builds, with a line where it all began. */
function curve(points: readonly HistoryPoint[]): Markup {
  const levels = points.map(({ level }) => Math.log(level))
  const pad = 0.01
  const lowest = levels.reduce((least, level) => Math.min(least, level), 0) - pad
  const highest = levels.reduce((most, level) => Math.max(most, level), 0) + pad
  const x = (place: number) => round((100 * (place + 1)) / points.length)
  const y = (level: number) => round(100 - (100 * (level - lowest)) / (highest - lowest))
  const line = [`0,${y(0)}`, ...levels.map((level, place) => `${x(place)},${y(level)}`)]
  return markup`<figure class="curve">
<svg role="img" aria-label="Level by build; the table below has the numbers" width="100%"
  height="${room}">
<svg x="0" y="0" width="100%" height="${room}" viewBox="0 0 100 100" preserveAspectRatio="none">
<line class="grid" x1="0" x2="100" y1="${y(0)}" y2="${y(0)}"/>
<polyline class="response" points="${line.join(' ')}"/>
</svg>
<text x="4" y="14">${change(Math.exp(highest))}</text>
<text x="4" y="${room - 4}">${change(Math.exp(lowest))}</text>
</svg>
<figcaption>relative to the first build</figcaption>
</figure>`
}

function table(points: readonly HistoryPoint[]): Markup {
  return markup`<div class="scroll"><table>
<thead><tr><th scope="col">build</th><th scope="col">against</th><th scope="col">change</th>
<th scope="col">surely within</th><th scope="col">level</th>
<th scope="col">verdict</th></tr></thead>
<tbody>${points.slice(-mostRows).map(
    ({
      build,
      against,
      ratio,
      interval,
      level,
      verdict
    }) => markup`<tr><td><code>${build}</code></td>
<td><code>${against}</code></td><td>${change(ratio)}</td><td>${changes(interval)}</td>
<td>${change(level)}</td><td>${verdict}</td></tr>`
  )}</tbody>
</table></div>${
    points.length > mostRows && markup`<p>The last ${mostRows} builds of ${points.length}.</p>`
  }`
}

/** A history as one HTML file. */
export function historyHtml({ metric, points, shifts }: History): string {
  const title = `${metric} of ${points.length} builds`
  const told = shifts.slice(-mostRows).map(shiftText)
  return page({
    title: `${title} · Plimsoll`,
    body: markup`<header><p class="brand">${logo} Plimsoll <span>history</span></p>
<h1 class="observed">${title}</h1>
<p class="lead">${told.length === 0 ? 'No lasting shift.' : told.join('; ')}</p>
</header>
<main>${points.length > 0 && curve(points)}${table(points)}</main>`
  })
}
