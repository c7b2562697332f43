import type { Capacity } from '../../verdict/capacity.ts'
import type { RateDemand } from '../../verdict/judge-capacity.ts'
import type { RateTrial } from '../../verdict/rate-trial.ts'
import { grouped } from '../quantity.ts'
import { type MarkKind, mark, markKeys } from './marks.ts'
import { type Markup, markup } from './markup.ts'

const room = 180

/** Trials that are drawn; a search makes a few dozen. */
const mostMarks = 400
const top = 26

const round = (value: number) => Math.round(value * 100) / 100
const rateText = (rate: number) => `${grouped(Number(rate.toPrecision(4)))}/s`

/** How each outcome is drawn, and what it means. */
const manners: Record<RateTrial['outcome'], readonly [kind: MarkKind, meaning: string]> = {
  held: ['accepted', 'held: the objective was met'],
  missed: ['rejected', 'missed'],
  unoffered: ['unclear', 'not offered: the generator could not make the rate']
}

/** The outcomes that there are, each with its mark and its meaning. */
function keys(trials: readonly RateTrial[]): Markup {
  const occurring = new Set(trials.map(({ outcome }) => outcome))
  const all = Object.entries(manners) as [RateTrial['outcome'], (typeof manners)['held']][]
  return markKeys(all.filter(([outcome]) => occurring.has(outcome)).map(([, key]) => key))
}

/**
 * A search for a capacity: every trial by its rate, the first on top, with the interval that came
 * of them as a strip and the rate that is demanded, or else was confirmed, as a line. Where the
 * generator gave out, what was confirmed is only held: the capacity is somewhere above.
 */
export function rateLine(
  { trials: all, interval, confirmed, ended }: Capacity,
  demand?: Pick<RateDemand, 'perSecond'>
): Markup | undefined {
  const trials = all.slice(0, mostMarks)
  if (trials.length === 0) return
  const line = demand?.perSecond ?? (confirmed ? confirmed : trials.at(-1)!.rate)
  const rates = [line, ...trials.map(({ rate }) => rate)].map(Math.log)
  const [lowest, highest] = [Math.min(...rates) - 0.05, Math.max(...rates) + 0.05]
  const x = (rate: number) => 2 + (96 * (Math.log(rate) - lowest)) / (highest - lowest)
  const y = (place: number) => top + ((room - top - 10) * (place + 0.5)) / trials.length
  // An interval may reach beyond every rate that was tried.
  const [from, to] = (interval ?? [line, line]).map((rate) =>
    Math.min(100, Math.max(0, x(rate)))
  ) as [number, number]
  const word = ended === 'generator' ? 'held' : 'confirmed'
  const found = confirmed === undefined ? 'no rate confirmed' : `${rateText(confirmed)} ${word}`
  const anchor = x(line) < 20 ? 'start' : x(line) > 80 ? 'end' : 'middle'
  const isDrawn = demand !== undefined || confirmed !== undefined
  return markup`<figure class="line">
<svg class="framed" role="img"
aria-label="Trials by rate: ${found}" width="100%" height="${room + 20}">
${
  interval !== undefined &&
  markup`<rect class="band" x="${round(from)}%" width="${round(to - from)}%" y="${top}"
  height="${room - top}"/>`
}
${
  isDrawn &&
  markup`<line class="boundary" x1="${round(x(line))}%" x2="${round(x(line))}%" y1="${top - 4}"
  y2="${room}"/>
<text x="${round(x(line))}%" y="14" text-anchor="${anchor}">${demand ? 'demanded' : word}:
${rateText(line)}</text>`
}
<line class="axis" x1="0" x2="100%" y1="${room}" y2="${room}"/>
<text class="on-axis" x="0" dx="-6" y="${top + 10}">first trial</text>
<text class="on-axis" x="0" dx="-6" y="${room - 6}">last</text>
<text x="0" y="${room + 16}">${rateText(Math.exp(lowest))}</text>
<text x="50%" y="${room + 16}" text-anchor="middle">requests a second</text>
<text x="100%" y="${room + 16}" text-anchor="end">${rateText(Math.exp(highest))}</text>
${trials.map(({ rate, outcome, because }, place) => {
  const title = `${rateText(rate)} ${outcome} ${because}`
  return mark(manners[outcome][0], { x: x(rate), y: y(place), title })
})}
</svg>
<figcaption>${found}${
    interval && `; the limit is surely within ${interval.map(rateText).join(' … ')}, the strip`
  }<br>${keys(trials)}</figcaption>
</figure>`
}
