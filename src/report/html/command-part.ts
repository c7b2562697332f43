import type { CommandFound, FoundFacts, LimitFound } from '../../verdict/command-found.ts'
import { shortened } from '../printable.ts'
import { grouped, latency } from '../quantity.ts'
import { comparisonChart } from './comparison-chart.ts'
import { historyChart } from './history-chart.ts'
import { limiterStaircase } from './limiter-staircase.ts'
import { type Markup, markup } from './markup.ts'
import { numberLine } from './number-line.ts'
import { rateLine } from './rate-line.ts'

/** Variants of one limit that are drawn. */
const most = 100

/** What a command found: pairs, trials, a limiter or builds, each as its own drawing. */
export function commandPart(found: CommandFound): Markup | undefined {
  switch (found.of) {
    case 'comparison':
      return markup`${comparisonChart(found)}${factList(found.facts)}`
    case 'capacity': {
      const { capacity, baseline, objective, facts } = found
      const { perSecond } = objective
      const demand = perSecond === undefined ? undefined : { perSecond }
      return markup`<p>Objective: p99 within ${grouped(objective.p99Ms)} ms, errors at most
${grouped(objective.errorsPercent)} %.${
        baseline && ` Unloaded: p50 ${latency(baseline.p50Us)}, p99 ${latency(baseline.p99Us)}.`
      }</p>
${capacity && rateLine(capacity, demand)}${factList(facts)}`
    }
    case 'limit':
      return limitDrawings(found)
    case 'history':
      return historyChart(found)
  }
}

/** What is told besides what is drawn. */
export function factList(facts: FoundFacts = []): Markup | undefined {
  if (facts.length === 0) return undefined
  return markup`<dl>${facts.map(([name, text]) => {
    return markup`<dt>${shortened(name, 100)}</dt><dd>${shortened(text, 2_000)}</dd>`
  })}</dl>`
}

function limitDrawings({ unit = '', boundaries = [], rate }: LimitFound): Markup {
  return markup`${rate && limiterStaircase(rate)}${boundaries
    .slice(0, most)
    .filter(({ boundary }) => boundary.asked.length > 0)
    .map(
      ({ variant, boundary }) =>
        markup`<figure>${
          variant && markup`<figcaption>${variant}</figcaption>`
        }${numberLine({ limit: { clause: '', max: 0, unit, readings: [] }, boundary })}</figure>`
    )}`
}
