import { type Outcome, type OutcomeCounts, outcomes } from '../verdict/outcome.ts'
import { coverageShortfall } from './coverage.ts'
import { oneLine } from './printable.ts'
import type { Lost, Report, VerdictRecord } from './record.ts'
import { type SubjectStanding, standingsOf } from './standing.ts'

/** How every format shows an outcome, and what it means for the reader. */
export const legend: Record<Outcome, { mark: string; meaning: string }> = {
  fail: { mark: '✘', meaning: 'The target contradicts the document.' },
  warning: { mark: '▲', meaning: 'Advice drawn from the document is not followed.' },
  error: { mark: '!', meaning: 'A fault of the harness; it says nothing about the target.' },
  inconclusive: { mark: '?', meaning: 'The answers do not decide it.' },
  blocked: { mark: '⊘', meaning: 'Something that has to work first did not.' },
  changed: { mark: '≠', meaning: 'The document is silent, and the target differs from last time.' },
  deviation: { mark: '≈', meaning: 'A contradiction that is known and accepted.' },
  observed: {
    mark: '○',
    meaning: 'Nothing is judged, as where the document is silent; what the target does is recorded.'
  },
  pass: { mark: '✔', meaning: 'The target does what the document says.' },
  inapplicable: {
    mark: '–',
    meaning: 'What it presupposes was not shown, so it says nothing here.'
  },
  untested: { mark: '·', meaning: 'Nothing was asked.' }
}

/** `3 fail · 41 pass`: the outcomes that occur, worst first. */
export function countsText(counts: OutcomeCounts): string {
  const occurring = outcomes.filter((outcome) => counts[outcome])
  return occurring.map((outcome) => `${counts[outcome]} ${outcome}`).join(' · ') || 'no verdicts'
}

/** What was said of a run when it was made: `build 42, branch main`. */
export function tagsText(tags: Record<string, string>): string {
  return Object.entries(tags)
    .map(([key, value]) => `${oneLine(key, 64)} ${oneLine(value, 200)}`)
    .join(', ')
}

/** Lines that could not be read as a sentence: how many, and which the first of them are. */
export function lostText({ count, first }: Lost): string {
  const named = first.map(({ line }) => line).join(', ')
  const more = count > first.length ? ' and more' : ''
  const [lines, are] = count === 1 ? ['line', 'is'] : ['lines', 'are']
  return `${count} ${lines} could not be read and ${are} left out: ${named}${more}.`
}

type Judged = Pick<VerdictRecord, 'scenario' | 'clause' | 'outcome'>

/** Outcomes by which a run is as it should be. */
const well: readonly Outcome[] = ['pass', 'deviation', 'observed', 'changed']

/** The outcomes a headline tells, worst first, with what is said of one subject and of many. */
const conclusions: readonly [Outcome, one: string, many: string][] = [
  ['fail', 'fails', 'fail'],
  ['warning', 'goes against advice', 'go against advice'],
  ['error', 'could not be checked', 'could not be checked'],
  ['inconclusive', 'is inconclusive', 'are inconclusive'],
  ['blocked', 'is blocked', 'are blocked'],
  ['changed', 'is not as last time', 'are not as last time'],
  ['pass', 'holds', 'hold'],
  ['deviation', 'deviates as expected', 'deviate as expected'],
  ['observed', 'observed, none judged', 'observed, none judged']
]

/**
 * The one sentence a run comes down to, and the outcome that decides it. Scenarios that agree on a
 * clause count once; a load's verdict about itself, whose clause is its scenario, is of a scenario.
 */
export function headline(
  verdicts: readonly Judged[],
  plan?: Report['plan']
): { outcome: Outcome; text: string } {
  const standings = standingsOf(verdicts, plan)
  const worst = conclusions.find(([of]) => standings.some(({ outcome }) => outcome === of))
  if (worst === undefined) return { outcome: 'untested', text: 'Nothing was checked' }
  const [outcome, one, many] = worst
  const those = standings.filter((standing) => standing.outcome === outcome)
  const saying = those.length === 1 ? one : many
  const text = `${subjectsText(those)} ${saying}${exceptions(standings, outcome)}`
  return { outcome, text }
}

/** `3 clauses and 1 scenario`: how many of some standings are about which. */
export function subjectsText(standings: readonly Pick<SubjectStanding<Judged>, 'isOwn'>[]): string {
  const scenarios = standings.filter(({ isOwn }) => isOwn).length
  const clauses = standings.length - scenarios
  return [counted(clauses, 'clause'), counted(scenarios, 'scenario')].filter(Boolean).join(' and ')
}

/** The headline of one load on a URL, which has objectives in place of a document. */
const ofLoads: Partial<Record<Outcome, string>> = {
  fail: 'The objectives are missed',
  error: 'The load could not be measured',
  inconclusive: 'Whether the objectives are met cannot be told',
  blocked: 'Nothing was answered',
  pass: 'Every objective is met',
  observed: 'Measured, without an objective'
}

/** The headline of a soak. */
const ofSoaks: Partial<Record<Outcome, string>> = {
  fail: 'It drifts',
  error: 'The load could not be measured',
  inconclusive: 'Whether it drifts cannot be told',
  pass: 'It does not drift'
}

/** The headline of one whose figures moved in another way than a drift does. */
const ofShapes: Record<string, string> = {
  settling: 'It rises, ever more slowly',
  stepped: 'It has shifted once',
  cyclic: 'It comes and goes'
}

/** The headline of a command without a document: what it concluded, or how much was clear. */
function commandHeadline({ header, verdicts }: Report, outcome: Outcome): string | undefined {
  if (header.command![0] === 'load') return ofLoads[outcome]
  const [first] = verdicts
  if (header.command![0] === 'soak') {
    const word = first?.observed.split(':')[0] ?? ''
    return Object.hasOwn(ofShapes, word) ? ofShapes[word] : ofSoaks[outcome]
  }
  const isLookedFor = verdicts.every((one) => one.outcome !== 'pass' && one.outcome !== 'fail')
  if (header.command![0] === 'probe' && first !== undefined && isLookedFor) {
    const open = verdicts.filter((one) => one.outcome === 'inconclusive').length
    return `${verdicts.length - open} of ${verdicts.length} limits are clear`
  }
  if (header.command![0] === 'probe') return undefined
  // What was confirmed is no capacity where the search did not come to its end.
  if (header.command![0] === 'capacity' && outcome === 'inconclusive' && first)
    return oneLine([...new Set([first.observed, first.because])].join(': '), 200)
  // Of a rate that is demanded it is told whether it is held.
  if (header.command![0] === 'capacity' && (outcome === 'pass' || outcome === 'fail') && first)
    return oneLine(first.because, 200)
  return first && oneLine(first.observed, 200)
}

/** The same for a whole run, which is not well either where less was checked than it demanded. */
export function runHeadline(report: Report): { outcome: Outcome; text: string } {
  const told = headline(report.verdicts, report.plan)
  const { outcome } = told
  const text = (report.header.command && commandHeadline(report, outcome)) ?? told.text
  const shortfall = coverageShortfall(report)
  return shortfall === undefined || !well.includes(outcome)
    ? { outcome, text }
    : { outcome: 'untested', text: `${text}, but ${shortfall}` }
}

/** What a run that is well has to add: that something deviates, and what says nothing by that. */
function exceptions(standings: readonly SubjectStanding<Judged>[], outcome: Outcome): string {
  if (outcome !== 'pass') return ''
  const count = (of: Outcome) => standings.filter((one) => one.outcome === of).length
  const told = (number: number, one: string, many: string) =>
    number === 0 ? '' : `, ${number} ${number === 1 ? one : many}`
  return (
    told(count('deviation'), 'deviates as expected', 'deviate as expected') +
    told(count('inapplicable'), 'does not apply', 'do not apply')
  )
}

function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Verdicts with the worst first, otherwise in the order given. */
export function worstFirst<T extends { outcome: Outcome }>(verdicts: readonly T[]): T[] {
  return outcomes.flatMap((outcome) => verdicts.filter((one) => one.outcome === outcome))
}
