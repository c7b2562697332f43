import { clopperPearson } from '../../../src/statistics/clopper-pearson.ts'
import { type Result, results, type Tried } from './outcome.ts'
import { partOf } from './sites.ts'

/** What faults came to, counted. */
export type Tally = Record<Result, number> & { exact: number; noticed: number }

/** Counts how faults ended. */
export function tallyOf(tried: readonly Tried[]): Tally {
  const counts = results.map((name) => [name, tried.filter(({ result }) => result === name).length])
  const exact = tried.filter(({ isExact }) => isExact).length
  const noticed = tried.filter(({ isNoticed }) => isNoticed).length
  return { ...(Object.fromEntries(counts) as Record<Result, number>), exact, noticed }
}

/** Of how many faults it is known whether somebody sees them. */
export const provedOf = ({ killed, survived, uncovered, stopped }: Tally) =>
  killed + survived + uncovered + stopped

const percent = (share: number) => `${(100 * share).toFixed(0)} %`

function shareText(tally: Tally): string {
  const draws = provedOf(tally)
  if (draws === 0) return ''
  const { low, high } = clopperPearson({ events: tally.killed, draws, confidence: 0.95 })
  return `${percent(tally.killed / draws)} (${percent(low)} to ${percent(high)})`
}

/** A table of what became of faults, by what they are grouped by. */
function tableOf(tried: readonly Tried[], by: (one: Tried) => string): string {
  const groups = [...Map.groupBy(tried, by)].sort(([one], [other]) => one.localeCompare(other))
  const rows = [...groups, ['all', tried] as const].map(([name, own]) => {
    const tally = tallyOf(own)
    return [
      name,
      ...results.map((result) => tally[result]),
      tally.exact,
      tally.noticed,
      shareText(tally)
    ]
  })
  const share = 'killed of all but down, equivalent and invalid (95 %)'
  const head = ['', ...results, 'exact', 'noticed', share]
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

const short = (text: string) => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > 70 ? `${line.slice(0, 69)}…` : line
}

/** One fault on a line: where, what, and what became of it. */
export function lineOf({ result, file, line, operator, ...one }: Tried): string {
  const seen = one.clause ? `  ${one.clause}` : ''
  const notice = one.isNoticed ? ', noticed' : ''
  const asked = result === 'survived' ? `  (${one.asked} of ${one.of} asked${notice})` : ''
  const change = `${short(one.before)} → ${short(one.after) || '(nothing)'}`
  return `${result.padEnd(10)} ${file}:${line}  ${operator}  ${change}${seen}${asked}`
}

/** Everything that was found, for somebody to read: tables, then the faults nobody saw. */
export function reportOf(tried: readonly Tried[], { seed }: { seed: number }): string {
  const unseen = tried
    .filter(({ result }) => ['survived', 'uncovered', 'stopped'].includes(result))
    .toSorted((one, other) => one.file.localeCompare(other.file) || one.line - other.line)
  return [
    `${tried.length} faults, seed ${seed}\n`,
    tableOf(tried, ({ file }) => partOf(file)),
    tableOf(tried, ({ operator }) => operator),
    unseen.map((one) => `${lineOf(one)}\n`).join('')
  ].join('\n')
}
