import type { AskedValue, Boundary } from '../../limit/boundary.ts'
import type { Limit } from '../../limit/limit.ts'
import { grouped } from '../quantity.ts'
import { mark, markKeys } from './marks.ts'
import { type Markup, markup } from './markup.ts'

type Asking = { limit: Limit; boundary: Boundary }

/** In pixels; widths are percentages, so that text keeps its size in a column of any width. */
const rise = 11
const room = 44

/**
 * A drawing of what was asked on either side of a boundary. The line runs by the logarithm of the
 * distance from the boundary, so that neighbours stay apart and the far ends fit on the page.
 */
export function numberLine({ limit, boundary }: Asking): Markup {
  const place = placing({ limit, boundary })
  const stacks = [...Map.groupBy(drawn(boundary), (one) => one.value)]
  const axis = room + rise * Math.max(1, ...stacks.map(([, all]) => all.length))
  const found = boundary.kind === 'found'
  return markup`<svg class="line" role="img" aria-label="${description({ limit, boundary })}"
  width="100%" height="${axis + 30}">
${band(limit, place, axis)}
<line class="axis" x1="2%" x2="${found ? '50%' : '98%'}" y1="${axis}" y2="${axis}"/>
${
  found &&
  markup`<line class="axis beyond" x1="50%" x2="98%" y1="${axis}" y2="${axis}"/>
<line class="boundary" x1="50%" x2="50%" y1="${room - 14}" y2="${axis + 8}"/>`
}
${stacks.map(([value, all]) =>
  all.map((one, index) => answer(one, place(value), axis - rise * (index + 0.5)))
)}
${labels({ limit, boundary }, axis)}
</svg>
<p class="keys">${keys(boundary)}</p>`
}

/** Answers that are drawn: the last, since a search closes in on the boundary. */
const mostMarks = 400

function drawn({ asked }: Boundary): readonly AskedValue[] {
  return asked.slice(-mostMarks)
}

/** Percentage of the width at which a value stands; where the answers turn is in the middle. */
function placing({ limit, boundary }: Asking): (value: number) => number {
  const valuesOf = (kind: AskedValue['kind']) =>
    drawn(boundary)
      .filter((one) => one.kind === kind)
      .map((one) => one.value)
  const accepted = Math.max(...valuesOf('accepted'))
  const rejected = Math.min(...valuesOf('rejected'))
  const turns = Number.isFinite(accepted) && Number.isFinite(rejected)
  const known = limit.readings[0] ?? boundary.accepted ?? boundary.rejected ?? 0
  const centre = turns ? (accepted + rejected) / 2 : known
  const half = turns ? Math.max(Math.abs(rejected - accepted) / 2, 0.5) : 1
  const distance = (value: number) => Math.asinh((value - centre) / half)
  const values = [...limit.readings, ...drawn(boundary).map((one) => one.value)]
  const farthest = Math.max(...values.map((value) => Math.abs(distance(value))), 1)
  return (value) => 50 + (44 * distance(value)) / farthest
}

/** Everything the documented number can mean, as a strip behind the line; none where none is. */
function band(
  { readings }: Limit,
  place: (value: number) => number,
  axis: number
): Markup | undefined {
  if (readings.length === 0) return undefined
  const from = place(readings[0]!)
  const to = place(readings.at(-1)!)
  const middle = (from + to) / 2
  const anchor = middle < 40 ? 'start' : middle > 60 ? 'end' : 'middle'
  const text = [...new Set(readings)].map(grouped).join(' to ')
  const at = anchor === 'start' ? from : anchor === 'end' ? to : middle
  return markup`<rect class="band" x="${percent(from - 0.6)}" width="${percent(to - from + 1.2)}"
  y="${room - 18}" height="${axis - room + 18}" rx="3"/>
<text x="${percent(at)}" y="${room - 25}" text-anchor="${anchor}">documented: ${text}</text>`
}

const mannerOf = ({ kind, proper }: AskedValue) => (proper ? kind : `${kind} improper`)

/** One answer: a dot for accepted, a cross for refused, a ring for unclear. */
function answer(asked: AskedValue, x: number, y: number): Markup {
  const { value, kind, because } = asked
  const manner = mannerOf(asked)
  return mark(kind, { x, y, manner, title: `${grouped(value)} ${manner}: ${because}` })
}

const meanings: Record<string, string> = {
  accepted: 'accepted',
  rejected: 'refused',
  'accepted improper': 'accepted, but not as it should be',
  'rejected improper': 'refused, but not as it should be',
  unclear: 'neither',
  'unclear improper': 'neither'
}

/** The kinds of answers that there are, each with its mark and its meaning. */
function keys(boundary: Boundary): Markup {
  const occurring = new Set(drawn(boundary).map(mannerOf))
  return markKeys(Object.entries(meanings).filter(([manner]) => occurring.has(manner)))
}

/** The two values that matter, below the line and on their own sides of the boundary. */
function labels({ limit, boundary }: Asking, axis: number): Markup {
  const { kind, accepted, rejected } = boundary
  const y = axis + 22
  if (kind === 'found') {
    const took = `${grouped(accepted!)} accepted`
    return markup`<text class="value" x="50%" dx="-8" y="${y}" text-anchor="end">${took}</text>
<text class="value" x="50%" dx="8" y="${y}">${grouped(rejected!)} refused</text>`
  }
  const text = description({ limit, boundary })
  return markup`<text class="value" x="50%" y="${y}" text-anchor="middle">${text}</text>`
}

function description({ limit, boundary }: Asking): string {
  const { kind, accepted, rejected } = boundary
  switch (kind) {
    case 'found':
      return `${grouped(accepted!)} ${limit.unit} accepted, ${grouped(rejected!)} refused`
    case 'unlimited':
      return `everything up to ${grouped(accepted!)} ${limit.unit} accepted`
    case 'closed':
      return 'nothing accepted'
    case 'unclear':
      return 'no clear boundary'
  }
}

function percent(value: number): string {
  return `${Math.round(value * 100) / 100}%`
}
