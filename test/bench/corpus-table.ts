import { clopperPearson } from '../../src/statistics/clopper-pearson.ts'
import type { Line } from './corpus-line.ts'

const percent = (share: number) => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`

const middle = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[values.length >> 1]

/** The verdicts that a change should have; of none, those that it should not have. */
function wantedOf(planted: string): string[] {
  if (planted === 'none') return ['regressed', 'improved']
  return planted.startsWith('-') ? ['improved'] : ['regressed']
}

function shareOf(events: number, draws: number): string {
  const { low, high } = clopperPearson({ events, draws, confidence: 0.95 })
  return `${`${events} of ${draws}`.padEnd(11)}${percent(low)} … ${percent(high)}`.padEnd(27)
}

/** How many verdicts are those that this change should have, or of none should not have. */
function found(verdicts: readonly string[], planted: string): string {
  const wanted = wantedOf(planted)
  return shareOf(verdicts.filter((verdict) => wanted.includes(verdict)).length, verdicts.length)
}

/** What says nothing of either side: a tool that always does so is never wrong, and of no use. */
const untold = ['inconclusive', 'refused', 'invalid', 'blocked', 'interrupted', 'lost']

const nameOf = ({ verdict, worse }: Line) => (worse ? `${verdict} by ${worse}` : verdict)

/** How many say nothing, and what all of them are. */
function told(lines: readonly Line[]): string {
  const each = Object.entries(Object.groupBy(lines, nameOf))
  const counts = each.map(([verdict, some]) => `${some!.length} ${verdict}`).join(', ')
  const silent = lines.filter(({ verdict }) => untold.includes(verdict)).length
  const planned = lines.filter(({ resolvable }) => resolvable !== undefined)
  const apart = middle(planned.map(({ resolvable }) => resolvable ?? Infinity))
  const tells = apart === undefined ? '' : `${Number.isFinite(apart) ? percent(apart - 1) : '∞'}`
  const ratio = middle(lines.flatMap((line) => line.ratio ?? []))?.toFixed(3) ?? ''
  return shareOf(silent, lines.length) + tells.padEnd(9) + ratio.padEnd(9) + counts
}

/** Load averages by which comparisons are told apart: upper ends, the last of them open. */
const loads = [2, 4, 8, Infinity]

/** The load average of a comparison: the middle of what it was before and at its end. */
const loadOf = ({ load, loadAfter = load }: Line) => (load + loadAfter) / 2

function loadName(line: Line): string {
  const at = loads.findIndex((end) => loadOf(line) < end)
  return at === loads.length - 1
    ? `${loads[at - 1]} or more`
    : `${loads[at - 1] ?? 0} to ${loads[at]}`
}

const shares = ['found; of none: false', 'nothing told'].map((name) => name.padEnd(27))
const heading = `${''.padEnd(22)}${shares.join('')}tells    B/A      verdicts`

/** Rows of lines by what they have in common, in the order of their names. */
function rowsBy(lines: readonly Line[], group: (line: Line) => string): string[] {
  const groups = Object.entries(Object.groupBy(lines, group)).toSorted(([one], [other]) =>
    one < other ? -1 : 1
  )
  return groups.map(([name, some]) => {
    const verdicts = some!.map(({ verdict }) => verdict)
    return name.padEnd(22) + found(verdicts, some![0]!.planted) + told(some!)
  })
}

/** What others said of the same pairs, by change; none where nobody was asked. */
function peerRows(lines: readonly Line[]): string[] {
  const asked = lines.filter(({ peers }) => peers !== undefined)
  const each = Object.entries(Object.groupBy(asked, ({ planted }) => planted))
  const rows = each.map(([change, some]) => {
    const ours = some!.map(({ verdict }) => verdict)
    const [k6, autocannon] = (['k6', 'autocannon'] as const).map((peer) =>
      some!.map(({ peers }) => peers![peer])
    )
    return change.padEnd(22) + [ours, k6!, autocannon!].map((all) => found(all, change)).join('')
  })
  if (rows.length === 0) return []
  const columns = ['compare', "k6's rule", 'two autocannon runs'].map((name) => name.padEnd(27))
  return ['', `${'the same pairs'.padEnd(22)}${columns.join('')}`, ...rows]
}

/**
 * Tables of comparisons: by change and load, by server and change, and beside others; with 95 %
 * intervals. `tells` is the median of the smallest difference that plans could tell apart, B/A of
 * estimates.
 */
export function corpusTable(lines: readonly Line[]): string {
  const seconds = middle(lines.map((line) => line.seconds))
  const averages = lines.map(loadOf).sort((one, other) => one - other)
  const [least, most] = [averages[0]!, averages.at(-1)!].map((load) => load.toFixed(1))
  const parts = [
    `load averages ${least} … ${most}, median ${middle(averages)!.toFixed(1)}; ` +
      `${seconds} s each, at the median`,
    ...['', heading, ...rowsBy(lines, ({ planted }) => planted)],
    ...['', 'by load average', ...rowsBy(lines, (line) => line.planted.padEnd(8) + loadName(line))],
    ...['', 'by server', ...rowsBy(lines, (line) => line.server.padEnd(11) + line.planted)],
    ...peerRows(lines)
  ]
  return parts.join('\n')
}
