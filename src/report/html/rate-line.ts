import type { Capacity } from '../../verdict/capacity.ts'
import type { RateDemand } from '../../verdict/judge-capacity.ts'
import type { RateTrial } from '../../verdict/rate-trial.ts'
import { grouped } from '../quantity.ts'
import { type Markup, markup } from './markup.ts'

const room = 180

/** Trials that are drawn; a search makes a few dozen. */
const mostMarks = 400
const top = 26

const round = (value: number) => Math.round(value * 100) / 100
const rateText = (rate: number) => `${grouped(Number(rate.toPrecision(4)))}/s`

const shapes: Record<RateTrial['outcome'], { manner: string; shape: Markup }> = {
  held: { manner: 'accepted', shape: markup`<circle r="4"/>` },
  missed: { manner: 'rejected', shape: markup`<path d="M-3.5-3.5 3.5 3.5M3.5-3.5-3.5 3.5"/>` },
  unoffered: { manner: 'unclear', shape: markup`<circle r="3.5"/>` }
}

/** A trial: a dot where its rate was held, a cross where not, a ring where it was not offered. */
function mark({ rate, outcome, because }: RateTrial, x: number, y: number): Markup {
  const { manner, shape } = shapes[outcome]
  return markup`<svg class="asked ${manner}" x="${round(x)}%" y="${round(y)}" overflow="visible">
<title>${rateText(rate)} ${outcome} ${because}</title>${shape}</svg>`
}

/**
 * A search for a capacity: every trial by its rate, the first on top, with the interval that came
 * of them as a strip and the rate that is demanded, or else was confirmed, as a line.
 */
export function rateLine(
  { trials: all, interval, confirmed }: Capacity,
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
  const found = confirmed === undefined ? 'no rate confirmed' : `${rateText(confirmed)} confirmed`
  const anchor = x(line) < 20 ? 'start' : x(line) > 80 ? 'end' : 'middle'
  const isDrawn = demand !== undefined || confirmed !== undefined
  return markup`<figure class="line">
<svg role="img" aria-label="Trials by rate: ${found}" width="100%" height="${room + 20}">
${
  interval !== undefined &&
  markup`<rect class="band" x="${round(from)}%" width="${round(to - from)}%" y="${top}"
  height="${room - top}"/>`
}
${
  isDrawn &&
  markup`<line class="boundary" x1="${round(x(line))}%" x2="${round(x(line))}%" y1="${top - 4}"
  y2="${room}"/>
<text x="${round(x(line))}%" y="14" text-anchor="${anchor}">${demand ? 'demanded' : 'confirmed'}:
${rateText(line)}</text>`
}
<line class="axis" x1="0" x2="100%" y1="${room}" y2="${room}"/>
<text x="0" y="${room + 16}">${rateText(Math.exp(lowest))}</text>
<text x="100%" y="${room + 16}" text-anchor="end">${rateText(Math.exp(highest))}</text>
${trials.map((trial, place) => mark(trial, x(trial.rate), y(place)))}
</svg>
<figcaption>${found}${
    interval && `, surely within ${interval.map(rateText).join(' … ')}`
  }</figcaption>
</figure>`
}
