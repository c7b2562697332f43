import type { Comparison } from '../../engine/comparison.ts'
import { percent } from '../../number.ts'
import { change, changes, grouped, latency } from '../../report/quantity.ts'
import { errorBound, type MetricRatio, type PairConclusion } from '../../verdict/judge-pair.ts'
import type { RanOn } from '../targets/placement.ts'

const counted = (blocks: number) => `${grouped(blocks)} ${blocks === 1 ? 'block' : 'blocks'}`

/** What the plan promises, in a sentence. */
export function planText(
  { resolvable, gates }: NonNullable<Comparison['plan']>,
  { blocks, seconds, trialMs }: { blocks: number; seconds: number; trialMs: number }
): string {
  const size = `At most ${counted(blocks)} with trials of ${Math.round(trialMs)} ms in ${seconds} s`
  // Where nothing was answered there is no noise either, and no difference to be found.
  const found = gates.filter((gate) => Number.isFinite(gate.resolvable) && gate.resolvable > 1)
  if (found.length === 0) return `${size}: too few for any difference to be found.`
  const each = found.map((gate) => `${change(gate.resolvable)} by ${gate.metric}`)
  const told = gates.length > 1 ? each.join(', ') : change(resolvable)
  return `${size}; a difference of ${told} is found nine times in ten.`
}

/** What the load is to be, in a sentence. */
export function pacedText({ rate }: { rate: number }): string {
  return `Both hold ${grouped(Number(rate.toPrecision(3)))} requests a second; they arrive evenly.`
}

function amount(value: number, unit: string): string {
  if (unit === 'µs') return latency(value)
  if (unit === 'bytes') return `${(value / 1_000_000).toFixed(1)} MB`
  return `${grouped(Number(value.toPrecision(4)))} ${unit}`
}

function row(cells: readonly string[]): string {
  const [name = '', ...rest] = cells
  return `  ${name.padEnd(12)}${rest.map((cell) => ` ${cell.padStart(19)}`).join('')}`
}

function metricRow(name: string, { a, b, unit, ratio, interval }: MetricRatio): string {
  return row([name, amount(a, unit), amount(b, unit), change(ratio), changes(interval)])
}

function table({ metrics, errors }: PairConclusion): string[] {
  return [
    row(['', 'A', 'B', 'B against A', 'surely within']),
    ...Object.entries(metrics).map(([name, ratio]) => metricRow(name, ratio)),
    row(['errors', percent(errors.a), percent(errors.b), '', errorBound(errors)]),
    '  B against A: from trials of both in the same moments, in which the machine is the same;',
    '  A and B: over all trials, set as far apart as that'
  ]
}

/** What A and B were: processes that were there, or builds that were started for each block. */
export type Compared = 'processes' | 'builds' | 'build and process' | 'process and build'

/** What was compared, and what the interval therefore does not hold for. */
function comparedText(compared: Compared, blocks: number): string {
  const starts = blocks === 1 ? 'one start' : `${blocks} starts`
  const here = 'this one process'
  if (compared === 'processes')
    return 'these two processes; another start of the same build may differ by more than that'
  if (compared === 'builds') return `two builds, ${starts} of each`
  const [a, b] = compared === 'build and process' ? [starts, here] : [here, starts]
  return `A in ${a}, B in ${b}; the one process may be better or worse than its build`
}

/** Each gate by itself, where there are several. */
function gateFacts(conclusion: PairConclusion | undefined): [string, string][] {
  const { gates = [] } = conclusion ?? {}
  if (gates.length < 2) return []
  return gates.map(({ metric, verdict, ratio, interval }, at) => {
    const told = verdict === 'continue' ? 'inconclusive' : verdict
    return [at === 0 ? 'gates' : '', `${metric} ${told}: ${change(ratio)} (${changes(interval)})`]
  })
}

const verdictOf = ({ ended, conclusion }: Comparison) =>
  ended === 'decided' ? conclusion!.verdict : ended

/** What is known beside a comparison; `machine` where its noise may be the machine's. */
type Beside = {
  compared: Compared
  ranOn: RanOn
  calibration: string
  machine?: string | undefined
}

/** Who waits for a processor for less of what it runs than this is hardly held up. */
const notable = 0.1

/** Where both ran, and how long they were ready and did not; undefined where nobody asked. */
function processorText({ placed, because }: RanOn, { waited }: PairConclusion): string | undefined {
  if (placed !== 'one') return because
  const one = 'one for both of a start, which take turns on it: what more would change is not seen'
  if (waited === undefined || Math.max(waited.a, waited.b) < notable) return one
  const shares = `A ${percent(waited.a)} as long as it ran, B ${percent(waited.b)}`
  const whom = 'for other programs, its own threads, or what the other does after its answers'
  return `${one}; ready to run, each waited ${whom}: ${shares}`
}

/** What was measured, and how much of it to see a difference again. */
function blocksText({ conclusion, confirmation, repeated }: Comparison, compared: Compared) {
  const each = compared === 'processes' ? 'a pair of trials' : 'fresh processes and pairs of trials'
  const anew = confirmation ? `${confirmation.blocks} of them to see it again, ` : ''
  return `${conclusion!.blocks}, each ${each}; ${anew}${repeated} pairs repeated`
}

/** What each gate came to when it was measured again: another one than at first may decide then. */
const againText = ({ gates }: PairConclusion) =>
  gates
    .map(({ metric, ratio, interval }) => `${metric} ${change(ratio)} (${changes(interval)})`)
    .join(', ')

/** What there is to say of a comparison below its table, thing by thing. */
export function comparisonFacts(
  comparison: Comparison,
  { compared, ranOn, calibration, machine }: Beside
): [name: string, text: string][] {
  const { conclusion, confirmation, plan } = comparison
  const facts: [string, string][] = []
  if (conclusion) {
    facts.push(['compared', comparedText(compared, conclusion.blocks)])
    const where = processorText(ranOn, conclusion)
    if (where !== undefined) facts.push(['processor', where])
    facts.push(['blocks', blocksText(comparison, compared)])
  }
  facts.push(...gateFacts(conclusion))
  if (confirmation) facts.push(['again', `${againText(confirmation)}, with all made anew`])
  const further = conclusion?.furtherBlocks ?? 0
  if (verdictOf(comparison) === 'inconclusive' && plan && further > 0) {
    const seconds = Math.ceil(further * plan.secondsPerBlock)
    const more = `about ${counted(further)}, ${seconds} s, if more of them say the same`
    facts.push(['missing', more])
  }
  if (conclusion) facts.push(['unseen', conclusion.unseen.join('; ')])
  if (machine !== undefined) facts.push(['machine', machine])
  return [...facts, ['calibration', calibration]]
}

/** How often each side failed, as one thing to say. */
export function errorsFact({ conclusion }: Comparison): [string, string][] {
  if (conclusion === undefined) return []
  const { errors } = conclusion
  const sides = `A ${percent(errors.a)}, B ${percent(errors.b)}`
  return [['errors', [sides, errorBound(errors)].filter(Boolean).join(', ')]]
}

/** A comparison's outcome for people. */
export function comparisonText(comparison: Comparison, said: Beside): string {
  const { because, conclusion } = comparison
  return [
    '',
    `${verdictOf(comparison)}: ${because}`,
    ...(conclusion ? ['', ...table(conclusion), ''] : []),
    ...comparisonFacts(comparison, said).map(([name, text]) => `  ${name.padEnd(12)}${text}`),
    ''
  ].join('\n')
}
