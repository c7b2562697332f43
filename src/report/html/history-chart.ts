import type { HistoryFound } from '../../verdict/command-found.ts'
import type { HistoryShift } from '../../verdict/history.ts'
import { shiftText } from '../history-text.ts'
import { oneLine } from '../printable.ts'
import { change, changes, grouped } from '../quantity.ts'
import { type Markup, markup } from './markup.ts'

type Points = HistoryFound['points']

const room = 220

/** Builds in the table; the curve has all of them. */
const mostRows = 2_000

/** Builds that have a dot each, with what they are when pointed at, and shifts that are marked. */
const most = { dots: 400, shifts: 200 }

const round = (value: number) => Math.round(value * 100) / 100

/** A history: the level of each build, the shifts marked, and every comparison in a table. */
export function historyChart({ metric, points, shifts }: HistoryFound): Markup | undefined {
  if (points.length === 0) return undefined
  return markup`${curve(metric, points, shifts.slice(-most.shifts))}${table(points)}`
}

/** The level of each build over the builds, with a line where it all began. */
function curve(metric: string, points: Points, shifts: readonly HistoryShift[]): Markup {
  const levels = points.map(({ level }) => Math.log(level))
  const pad = 0.01
  const lowest = levels.reduce((least, level) => Math.min(least, level), 0) - pad
  const highest = levels.reduce((most, level) => Math.max(most, level), 0) + pad
  const x = (place: number) => round(1 + (98 * (place + 1)) / points.length)
  const y = (level: number) => round(100 - (100 * (level - lowest)) / (highest - lowest))
  const height = (level: number) => round((room * y(level)) / 100)
  const line = [`1,${y(0)}`, ...levels.map((level, place) => `${x(place)},${y(level)}`)]
  const places = new Map(points.map(({ build }, place) => [build, place]))
  const marks = shifts.flatMap((shift) => {
    const to = places.get(shift.to)
    return to === undefined ? [] : [{ shift, from: places.get(shift.from) ?? to, to }]
  })
  return markup`<figure class="curve levels">
<svg class="framed" role="img"
aria-label="${metric} of each build against the first: ${saidOf(shifts)}"
width="100%" height="${room + 24}">
${marks.map(({ shift, from, to }) => {
  const [left, right] = [x(from - 1), x(to)]
  // Where the curve is not.
  const foot = shift.ratio > 1 ? room - 6 : 14
  const text = `${shift.way} by ${change(shift.ratio).replace(/^[+−]/, '')}`
  return markup`<rect class="shift ${shift.way}" x="${left}%" width="${round(right - left)}%"
y="0" height="${room}"><title>${shiftText(shift)}</title></rect>
${
  marks.length <= 3 &&
  markup`<text class="${shift.way}" x="${right}%" y="${foot}" text-anchor="${
    right > 70 ? 'end' : 'start'
  }" dx="${right > 70 ? -60 : 6}">${text}</text>`
}`
})}
<line class="grid" x1="0" x2="100%" y1="${height(0)}" y2="${height(0)}"/>
<svg x="0" y="0" width="100%" height="${room}" viewBox="0 0 100 100" preserveAspectRatio="none">
<polyline class="response" points="${line.join(' ')}"/>
</svg>
${
  points.length <= most.dots &&
  points.map(
    ({ build, level, ratio }, place) =>
      markup`<circle class="pair" cx="${x(place)}%" cy="${height(Math.log(level))}" r="3">
<title>${oneLine(build, 60)}: ${change(level)}, ${change(ratio)} against the one before</title>
</circle>`
  )
}
<text class="on-axis" x="0" dx="-6" y="12">${change(Math.exp(highest))}</text>
${
  Math.min(height(0), room - height(0)) > 16 &&
  markup`<text class="on-axis" x="0" dx="-6" y="${height(0) + 4}">the first</text>`
}
<text class="on-axis" x="0" dx="-6" y="${room}">${change(Math.exp(lowest))}</text>
<text x="0" y="${room + 18}">${oneLine(points[0]!.against, 40)}</text>
<text x="100%" y="${room + 18}" text-anchor="end">${oneLine(points.at(-1)!.build, 40)}</text>
</svg>
<figcaption>${metric} of ${grouped(points.length)} ${
    points.length === 1 ? 'build' : 'builds'
  } in the order compared, against the first of
all${shifts.length > 0 && '; a strip is where the level shifts'}</figcaption>
</figure>`
}

/** What shifts, in words; of many the last. */
function saidOf(shifts: readonly HistoryShift[]): string {
  return shifts.length === 0 ? 'no lasting shift' : shifts.slice(-3).map(shiftText).join('; ')
}

function table(points: Points): Markup {
  return markup`<div class="scroll" tabindex="0" role="group" aria-label="table">
<table class="numbers">
<thead><tr><th scope="col">build</th><th scope="col">against</th><th scope="col">change</th>
<th scope="col">surely within</th><th scope="col">level</th>
<th scope="col">verdict</th></tr></thead>
<tbody>${points
    .slice(-mostRows)
    .toReversed()
    .map(
      ({
        build,
        against,
        ratio,
        interval,
        level,
        verdict
      }) => markup`<tr><td><code>${oneLine(build, 200)}</code></td>
<td><code>${oneLine(against, 200)}</code></td><td>${change(ratio)}</td><td>${changes(interval)}</td>
<td>${change(level)}</td><td>${verdict}</td></tr>`
    )}</tbody>
</table></div>${
    points.length > mostRows &&
    markup`<p>The last ${grouped(mostRows)} builds of ${grouped(points.length)}.</p>`
  }`
}
