import type { CapacityOutcome } from '../../engine/capacity-search.ts'
import { percent } from '../../number.ts'
import { legend } from '../../report/legend.ts'
import { grouped, latency } from '../../report/quantity.ts'
import type { Capacity } from '../../verdict/capacity.ts'
import { shortageIn, shortageText } from '../../verdict/capacity-unsteady.ts'
import type { Conclusion } from '../../verdict/outcome.ts'
import type { Binding, Objective, RateBaseline, RateTrial } from '../../verdict/rate-trial.ts'

/** A rate as people read it: `1,200/s`. */
export const rateText = (rate: number) => `${grouped(Number(rate.toPrecision(4)))}/s`

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
  found: 'a rate just above is missed',
  highest: 'everything was held up to the highest rate that may be sent',
  generator: 'the generator gave out before the target did',
  lowest: 'nothing was held, down to the lowest rate',
  time: 'the time was up first'
}

/** Between which rates it lies, in words. */
function boundsText({ lower, upper, ended, trials }: Capacity): string {
  if (lower !== undefined) {
    // A rate that was missed once and held later is no upper bound, but was missed all the same.
    const missed = trials.some(({ outcome }) => outcome === 'missed')
    const never = missed ? 'no rate above was missed for good' : 'nothing above was missed'
    const above = upper === undefined ? never : `missed at ${rateText(upper)}`
    return `held at ${rateText(lower)}, ${above}`
  }
  if (upper === undefined) return 'no rate was held, and none missed'
  const lowest = ended === 'lowest' ? 'the lowest there is' : 'the lowest that was tried'
  return `nothing was held: even ${rateText(upper)}, ${lowest}, was missed`
}

/** What was found out, in a sentence. */
export function capacityVerdict({ confirmed, ended, unsteady, undecided }: Capacity): string {
  if (ended === 'generator') {
    // What was held is no capacity where nobody could offer more.
    const least = confirmed === undefined ? '' : `at least ${rateText(confirmed)}, `
    return `${least}limit not found: ${endings.generator}`
  }
  if (unsteady !== undefined) return unsteady.because
  if (confirmed === undefined) return `no rate could be confirmed: ${endings[ended]}`
  if (undecided !== undefined) return `${rateText(confirmed)} held, not decided: ${undecided}`
  return `${rateText(confirmed)} confirmed: ${endings[ended]}`
}

function degradationLine({ rate, goodput, errorShare, p99Us }: RateTrial): string {
  return (
    `  at ${rateText(rate).padEnd(12)}${rateText(goodput)} served well, ` +
    `${percent(errorShare)} failed, p99 ${p99Us === null ? '–' : latency(p99Us)}`
  )
}

/**
 * A search's outcome for people, with what the rate demanded comes to where one is: of one that
 * ended early, what there is.
 */
export function capacityText(
  outcome: CapacityOutcome,
  objective: Objective,
  judged?: Conclusion
): string {
  const { capacity, baseline } = outcome
  const head =
    outcome.ended === 'searched'
      ? capacityVerdict(outcome.capacity)
      : `${outcome.ended}: ${outcome.because}`
  if (capacity === undefined || baseline === undefined) return `\n${head}\n`
  const told = judged && `${legend[judged.outcome].mark} ${judged.outcome}: ${judged.because}`
  const lines = [...details(capacity, { baseline, objective }), ...(told ? ['', told] : [])]
  return ['', head, '', ...lines, ''].join('\n')
}

function details(
  capacity: Capacity,
  { baseline, objective }: { baseline: RateBaseline; objective: Objective }
): string[] {
  const { degradation, trials } = capacity
  const { p99Us, errorRatio } = objective
  const facts: [string, string][] = [
    ['objective', `p99 within ${latency(p99Us)}, errors at most ${percent(errorRatio)}`],
    ...capacityFacts(capacity),
    ['unloaded', `p50 ${latency(baseline.p50Us)}, p99 ${latency(baseline.p99Us)}`],
    ['trials', `${trials.length}`]
  ]
  return [
    ...facts.map(([name, text]) => `  ${name.padEnd(12)}${text}`),
    ...(degradation.length > 0 ? ['', 'Beyond it', ...degradation.map(degradationLine)] : [])
  ]
}

const boundBy: Record<Binding, string> = {
  latency: 'latency: it is p99 that is missed above',
  errors: 'errors: it is their share that is missed above',
  generator: 'the generator, which could not offer more'
}

/** What there is to say of a capacity besides its trials, thing by thing. */
export function capacityFacts(capacity: Capacity): [name: string, text: string][] {
  const { interval, binding, trials, unsteady, undecided, confirmed } = capacity
  const shortage = unsteady?.kind === 'machine' ? undefined : shortageIn(trials)
  const facts: [string, string][] = [['bounds', boundsText(capacity)]]
  if (unsteady && confirmed !== undefined)
    facts.push(['confirmed', `${rateText(confirmed)}, as it was then`])
  if (interval) {
    const within = interval.map(rateText).join(' … ')
    facts.push(['interval', `the limit is surely within ${within} (95 %)`])
  }
  if (undecided) facts.push(['undecided', undecided])
  // What a starved machine saw late is not what bounds the target.
  if (binding && !(shortage && binding === 'latency')) facts.push(['bound by', boundBy[binding]])
  if (shortage) facts.push(['machine', `${shortageText(shortage)}; the target may hold more`])
  return facts
}
