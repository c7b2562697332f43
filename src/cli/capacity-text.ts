import type { CapacityOutcome } from '../engine/capacity-search.ts'
import { grouped, latency } from '../report/quantity.ts'
import type { Capacity } from '../verdict/capacity.ts'
import type { Objective, RateTrial } from '../verdict/rate-trial.ts'

const rateText = (rate: number) => `${grouped(Number(rate.toPrecision(4)))}/s`
const percent = (share: number) => `${Number((share * 100).toPrecision(3))} %`

/** One trial on one line. */
export function trialLine({ purpose, rate, seconds, outcome, because, p99Us }: RateTrial): string {
  const tail = p99Us === null ? '' : `p99 ${latency(p99Us)}`
  const cells = [
    purpose.padEnd(11),
    rateText(rate).padStart(12),
    `${Number(seconds.toPrecision(3))} s`.padStart(7)
  ]
  return `  ${cells.join('  ')}  ${outcome.padEnd(9)}  ${because || tail}`
}

const endings: Record<Capacity['ended'], string> = {
  found: 'the bounds are neighbours',
  highest: 'everything was held up to the highest rate that may be sent',
  generator: 'the generator gave out before the target did',
  lowest: 'nothing was held, down to the lowest rate',
  time: 'the time was up before the bounds met'
}

/** What was found out, in a sentence. */
export function capacityVerdict({ confirmed, ended }: Capacity): string {
  if (ended === 'generator') return `invalid: ${endings.generator}`
  if (confirmed === undefined) return `no rate could be confirmed: ${endings[ended]}`
  return `${rateText(confirmed)} confirmed: ${endings[ended]}`
}

function degradationLine({ rate, goodput, errorShare, p99Us }: RateTrial): string {
  return (
    `  at ${rateText(rate).padEnd(12)}${rateText(goodput)} served well, ` +
    `${percent(errorShare)} failed, p99 ${p99Us === null ? '–' : latency(p99Us)}`
  )
}

/** A search's outcome for people. */
export function capacityText(
  outcome: Extract<CapacityOutcome, { ended: 'searched' }>,
  { p99Us, errorRatio }: Objective
): string {
  const { capacity, baseline } = outcome
  const { lower, upper, interval, binding, degradation, trials } = capacity
  const bounds = [lower, upper].map((rate) => (rate === undefined ? '–' : rateText(rate)))
  return [
    '',
    capacityVerdict(capacity),
    '',
    `  objective   p99 within ${latency(p99Us)}, errors at most ${percent(errorRatio)}`,
    `  bounds      held at ${bounds[0]}, missed at ${bounds[1]}`,
    ...(interval ? [`  interval    ${interval.map(rateText).join(' … ')} (95 %)`] : []),
    ...(binding ? [`  bound by    ${binding}`] : []),
    `  unloaded    p50 ${latency(baseline.p50Us)}, p99 ${latency(baseline.p99Us)}`,
    `  trials      ${trials.length}`,
    ...(degradation.length > 0 ? ['', 'Beyond it', ...degradation.map(degradationLine)] : []),
    ''
  ].join('\n')
}
