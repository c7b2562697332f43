import type { Comparison } from '../../engine/comparison.ts'
import { percent } from '../../number.ts'
import { change, changes, grouped, latency } from '../../report/quantity.ts'
import { errorBound, type MetricRatio, type PairConclusion } from '../../verdict/judge-pair.ts'

/** What the plan promises, in a sentence. */
export function planText(
  { resolvable, gates }: NonNullable<Comparison['plan']>,
  { blocks, seconds, trialMs }: { blocks: number; seconds: number; trialMs: number }
): string {
  const each = gates.map((gate) => `${change(gate.resolvable)} by ${gate.metric}`)
  const told = gates.length > 1 ? each.join(', ') : change(resolvable)
  return (
    `At most ${blocks} blocks with trials of ${Math.round(trialMs)} ms in ${seconds} s; ` +
    `that tells ${told} apart nine times in ten.`
  )
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
  return `  ${name.padEnd(12)}${rest.map((cell) => cell.padStart(20)).join('')}`
}

function metricRow(name: string, { a, b, unit, ratio, interval }: MetricRatio): string {
  return row([name, amount(a, unit), amount(b, unit), change(ratio), changes(interval)])
}

function table({ metrics, errors }: PairConclusion): string[] {
  return [
    row(['', 'A', 'B', 'B against A', 'surely within']),
    ...Object.entries(metrics).map(([name, ratio]) => metricRow(name, ratio)),
    row(['errors', percent(errors.a), percent(errors.b), '', errorBound(errors)]),
    '  A and B: over all trials; against: within pairs, which the moods of the machine spare'
  ]
}

/** What A and B were: processes that were there, or builds that were started for each block. */
export type Compared = 'processes' | 'builds' | 'build and process' | 'process and build'

/** What was compared, and what the interval therefore does not hold for. */
function comparedText(compared: Compared, blocks: number): string {
  const starts = `${blocks} starts`
  const here = 'this one process'
  if (compared === 'processes')
    return 'these two processes; another start of the same build may differ by more than that'
  if (compared === 'builds') return `two builds, ${starts} of each`
  const [a, b] = compared === 'build and process' ? [starts, here] : [here, starts]
  return `A in ${a}, B in ${b}; the one process may be better or worse than its build`
}

/** Each gate by itself, where there are several. */
function gateLines(conclusion: PairConclusion | undefined): string[] {
  const { gates = [] } = conclusion ?? {}
  if (gates.length < 2) return []
  return gates.map(({ metric, verdict, ratio, interval }, at) => {
    const told = verdict === 'continue' ? 'inconclusive' : verdict
    const head = at === 0 ? '  gates       ' : '              '
    return `${head}${metric} ${told}: ${change(ratio)} (${changes(interval)})`
  })
}

/** A comparison's outcome for people. */
export function comparisonText(
  comparison: Comparison,
  { compared, calibration }: { compared: Compared; calibration: string }
): string {
  const { ended, because, conclusion, confirmation, plan, repeated } = comparison
  const verdict = ended === 'decided' ? conclusion!.verdict : ended
  const again = confirmation
    ? [`  again       ${change(confirmation.ratio)} (${changes(confirmation.interval)})`]
    : []
  const missing =
    verdict === 'inconclusive' && plan && conclusion!.furtherBlocks > 0
      ? [
          `  missing     about ${grouped(conclusion!.furtherBlocks)} blocks, ` +
            `${Math.ceil(conclusion!.furtherBlocks * plan.secondsPerBlock)} s, ` +
            'if more of them say the same'
        ]
      : []
  return [
    '',
    `${verdict}: ${because}`,
    ...(conclusion ? ['', ...table(conclusion), ''] : []),
    ...(conclusion ? [`  compared    ${comparedText(compared, conclusion.blocks)}`] : []),
    ...(conclusion ? [`  blocks      ${conclusion.blocks}, ${repeated} pairs repeated`] : []),
    ...gateLines(conclusion),
    ...again,
    ...missing,
    ...(conclusion ? [`  unseen      ${conclusion.unseen.join('; ')}`] : []),
    `  calibration ${calibration}`,
    ''
  ].join('\n')
}
