import { type Content, markup } from '../report/html/markup.ts'
import { grouped } from '../report/quantity.ts'
import type { Outcome } from '../verdict/outcome.ts'
import type { LimitsFile } from './limits-file.ts'

/** Pixels: a character of an 11 pixel sans-serif, the room beside a text, and the height. */
const [characterWidth, padding, height] = [6.4, 8, 20]

const colours = { good: '#2e7d32', bad: '#b3261e', open: '#7a5900' } as const

const bad: readonly Outcome[] = ['fail', 'warning']
const open: readonly Outcome[] = ['error', 'inconclusive', 'blocked', 'changed']

/** What the badge says: what is wrong, else what is not decided, else how many hold. */
function told({ verified }: LimitsFile): { text: string; colour: keyof typeof colours } {
  const sum = (those: readonly Outcome[]) =>
    those.reduce((count, outcome) => count + (verified.counts[outcome] ?? 0), 0)
  const [wrong, undecided, held] = [sum(bad), sum(open), sum(['pass', 'deviation'])]
  if (wrong > 0) return { text: `${grouped(wrong)} fail`, colour: 'bad' }
  if (!verified.complete) return { text: 'incomplete', colour: 'open' }
  if (undecided > 0) return { text: `${grouped(undecided)} undecided`, colour: 'open' }
  return { text: `${grouped(held)} hold`, colour: held > 0 ? 'good' : 'open' }
}

function box(x: number, text: string, colour: string): { width: number; drawn: Content } {
  const width = Math.ceil(text.length * characterWidth) + 2 * padding
  const drawn = markup`<rect x="${x}" width="${width}" height="${height}" fill="${colour}"/>
<text x="${x + padding}" y="14" fill="#fff">${text}</text>
`
  return { width, drawn }
}

/** A badge (SVG) of what a run came to, with the day on which it was found. */
export function badge(file: LimitsFile): string {
  const { text, colour } = told(file)
  const label = box(0, 'limits', '#444')
  const value = box(label.width, text, colours[colour])
  const width = label.width + value.width
  const title = `limits: ${text}, ${file.verified.at.slice(0, 10)}`
  const size = markup`width="${width}" height="${height}"`
  return markup`<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${title}">
<title>${title}</title>
<g font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
${[label.drawn, value.drawn]}</g>
</svg>
`.markup
}
