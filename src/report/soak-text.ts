import { percent } from '../number.ts'
import type { DriftConclusion, MetricDrift } from '../verdict/judge-drift.ts'
import { leastSoakSeconds, soakReach } from '../verdict/soak-reach.ts'
import { oneLine } from './printable.ts'
import { duration, grouped, latency } from './quantity.ts'

/** A value of a drifting metric in the unit a person would choose. */
export function amount(value: number, unit: string): string {
  if (!Number.isFinite(value)) return '–'
  const sign = value < 0 ? '−' : ''
  const size = Math.abs(value)
  if (unit === 'bytes') return `${sign}${Number((size / 1e6).toPrecision(3))} MB`
  if (unit === 'µs') return `${sign}${latency(size)}`
  if (unit === 'of requests') return `${sign}${percent(size)}`
  const unnamed = { 'requests/s': '/s', 'µs/request': ' µs' }[unit] ?? ''
  return `${sign}${grouped(Number(size.toPrecision(3)))}${unnamed}`
}

/** The ends of a slope's interval, for people. */
export function reach({ interval, unit }: Pick<MetricDrift, 'interval' | 'unit'>): string {
  if (!interval.every(Number.isFinite)) return 'unknown'
  return interval.map((end) => amount(end, unit)).join(' … ')
}

/** What is special about how a metric moves. */
export function remark({ stepAt, begun, verdict, seenShare }: MetricDrift): string {
  if (seenShare !== undefined) return `seen in ${percent(seenShare, 2)} of the time`
  if (verdict === 'settling') return 'rises ever more slowly'
  if (begun !== undefined) return `level until ${duration(begun.since * 3_600_000)}`
  if (stepAt !== undefined) return `shifted after ${duration(stepAt * 3_600_000)}`
  return ''
}

function row(cells: readonly string[]): string {
  const [name, verdict, ...rest] = cells as [string, string, ...string[]]
  const numbers = rest.slice(0, 3).map((cell, place) => cell.padStart([12, 12, 26][place]!))
  return `  ${name.padEnd(13)}${verdict.padEnd(14)}${numbers.join('')}  ${rest[3] ?? ''}`.trimEnd()
}

function metricRow(name: string, drift: MetricDrift): string {
  const { verdict, gates, level, slope, unit } = drift
  const cells = [amount(level, unit), amount(slope, unit), reach(drift), remark(drift)]
  return row([oneLine(name, 60), gates ? verdict : `(${verdict})`, ...cells])
}

/** What a soak of that length can tell, before it begins. */
export function soakReachText(asked: { seconds: number; budgets: readonly number[] }): string {
  const budget = Math.min(...asked.budgets)
  const lasting = `in ${duration(asked.seconds * 1_000)}`
  const { isTooShort, noise, typical } = soakReach(asked.seconds, budget)
  if (isTooShort) return `${lasting} nothing can be told: it takes ${leastSoakSeconds} s at least`
  const growth = `growth of ${percent(2 * budget, 2)} an hour, twice the budget,`
  const found = `${growth} is found in nine of ten where noise is below ${percent(noise, 2)}`
  const longer = `; where it is 1 %, in ${duration(typical.seconds * 1_000)}`
  const late = '; what begins in the last sixth may be missed'
  return `${lasting} ${found}${typical.seconds > asked.seconds ? longer : ''}${late}`
}

/** What a soak says, for people; metrics in brackets do not decide. */
export function soakText(conclusion: DriftConclusion): string {
  const { verdict, because, seconds, voidShare, metrics, furtherSeconds } = conclusion
  const further =
    furtherSeconds > 0 ? [`  missing      about ${duration(furtherSeconds * 1_000)} more`] : []
  const invalid =
    voidShare > 0 ? [`  generator    at fault in ${percent(voidShare, 2)} of the time`] : []
  return [
    '',
    `${verdict}: ${oneLine(because, 2_000)}`,
    '',
    row(['', '', 'level', 'an hour', 'surely within']),
    ...Object.entries(metrics).map(([name, drift]) => metricRow(name, drift)),
    '',
    `  lasted       ${duration(seconds * 1_000)}`,
    ...invalid,
    ...further,
    ''
  ].join('\n')
}
