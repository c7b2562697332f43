import { outcomes } from '../../verdict/outcome.ts'
import { contradicting, type Verdict } from '../../verdict/verdict.ts'

/** A break of somebody's own target, and the clause that must show it, where one is named. */
export type Break = { name: string; clause?: string }

/**
 * What became of one break: a clause that held without it fell (the one that is named); what must
 * show it still holds; or nothing can be told, as of a target that did not start with it.
 */
export type BreakResult = Break & {
  state: 'killed' | 'survived' | 'inconclusive'
  /** Clauses that held without it and fell with it. */
  fell: string[]
  because: string
}

/** What the target came to without a break. */
export type Unbroken = {
  /** Clauses of which all that was judged holds, and how many scenarios say so. */
  held: ReadonlyMap<string, number>
  /** The other clauses, but for those that are only observed, and what became of them. */
  unheld: readonly Verdict[]
}

const isPass = ({ outcome }: Verdict) => outcome === 'pass'
const isFall = ({ outcome }: Verdict) => contradicting.includes(outcome)

const about = ({ outcome, because }: Verdict) => `${outcome}: ${because}`

/** The verdict that says the worst of a clause. */
function worstOf(verdicts: readonly Verdict[]): Verdict | undefined {
  return verdicts.toSorted(
    (one, other) => outcomes.indexOf(one.outcome) - outcomes.indexOf(other.outcome)
  )[0]
}

const byClause = (verdicts: readonly Verdict[]) => Map.groupBy(verdicts, ({ clause }) => clause)

/** Tells what breaks can show, from the verdicts about a target that has none. */
export function unbrokenOf(verdicts: readonly Verdict[]): Unbroken {
  const held = new Map<string, number>()
  const unheld: Verdict[] = []
  for (const [clause, own] of byClause(verdicts)) {
    const passes = own.filter(isPass).length
    if (passes > 0 && !own.some(isFall)) held.set(clause, passes)
    else if (own.some(({ outcome }) => outcome !== 'observed')) unheld.push(worstOf(own)!)
  }
  return { held, unheld }
}

/** Why a break can show nothing: the clause that it names does not hold without it. */
export function unshowable({ clause }: Break, { held, unheld }: Unbroken): string | undefined {
  if (clause === undefined || held.has(clause)) return
  const found = unheld.find((one) => one.clause === clause)
  return `${clause} does not hold unbroken${found ? `, ${about(found)}` : ''}`
}

/** What the verdicts about a broken target say of the break. */
export function brokenBy(one: Break, { held }: Unbroken, verdicts: readonly Verdict[]) {
  const found = byClause(verdicts)
  const of = (clause: string) => found.get(clause) ?? []
  const clauses = [...held.keys()]
  const fell = clauses.filter((clause) => of(clause).some(isFall))
  const isSure = (clause: string) => of(clause).filter(isPass).length >= held.get(clause)!
  const unsure = clauses.filter((clause) => !fell.includes(clause) && !isSure(clause))
  const asked = one.clause === undefined ? clauses : [one.clause]
  const isShown = one.clause === undefined ? fell.length > 0 : fell.includes(one.clause)
  const isOpen = asked.some((clause) => unsure.includes(clause))
  const state = isShown ? 'killed' : isOpen ? 'inconclusive' : 'survived'
  const whys = Map.groupBy(unsure, (clause) => {
    const worst = worstOf(of(clause))
    return worst === undefined ? 'it was not asked about' : about(worst)
  })
  const lost = [...whys].map(([why, own]) => `not judged any more: ${own.join(', ')} (${why})`)
  const still = fell.length + unsure.length === 0 ? 'all still holds' : `${one.clause} still holds`
  const because = [
    ...(fell.length > 0 ? [`fell: ${fell.join(', ')}`] : []),
    ...(state === 'survived' ? [still] : []),
    ...lost
  ]
  return { ...one, state, fell, because: because.join('; ') } satisfies BreakResult
}

/** What is told of all of them; `left` are those that were not asked any more. */
export type BreakTally = { results: readonly BreakResult[]; unbroken: Unbroken; left: string[] }

const named = (results: readonly BreakResult[], state: BreakResult['state']) =>
  results.filter((one) => one.state === state).map(({ name }) => name)

/** Clauses that hold, and that none of the breaks turned to a fail. */
function untrusted({ results, unbroken }: BreakTally): string[] {
  const fell = new Set(results.flatMap((one) => one.fell))
  return [...unbroken.held.keys()].filter((clause) => !fell.has(clause))
}

const marks: Record<BreakResult['state'], string> = {
  killed: 'killed      ',
  survived: 'SURVIVED    ',
  inconclusive: 'inconclusive'
}

/** One break as text. */
export function breakLine({ name, clause, state, because }: BreakResult): string {
  const own = clause === undefined ? '' : `  ${clause}`
  const lines = because.split('\n').map((line) => `    ${line}\n`)
  return `${marks[state]}  ${name}${own}\n${lines.join('')}`
}

/** How many came out how, as text. */
export function breaksText(tally: BreakTally): string {
  const { results, unbroken, left } = tally
  const told = [
    `${named(results, 'killed').length} of ${results.length} breaks caught`,
    ...counted(named(results, 'inconclusive'), 'of which nothing can be told'),
    ...counted(left, 'not asked any more')
  ]
  const doubts = [
    ...unbroken.unheld.map((one) => `does not hold unbroken: ${one.clause}, ${about(one)}`),
    ...untrusted(tally).map(
      (clause) => `none of these breaks shows that this check can fail: ${clause}`
    )
  ]
  return `\n${told.join(', ')}\n${doubts.map((line) => `  ${line}\n`).join('')}`
}

const counted = ({ length }: readonly string[], words: string) =>
  length > 0 ? [`${length} ${words}`] : []

/** The same as a JSON document. */
export function breaksJson(tally: BreakTally): string {
  const { results, unbroken, left } = tally
  const killed = named(results, 'killed').length
  const told = {
    mutants: results.length,
    killed,
    survived: named(results, 'survived'),
    inconclusive: named(results, 'inconclusive'),
    left,
    untrusted: untrusted(tally),
    unheld: unbroken.unheld.map(({ clause, outcome, because }) => ({ clause, outcome, because })),
    found: results.map(({ name, ...rest }) => ({ mutant: name, ...rest })),
    score: results.length === 0 ? 0 : killed / results.length
  }
  return `${JSON.stringify(told, null, 2)}\n`
}

/** The exit code: 1 where a break survived, 2 where nothing can be told of one, else 0. */
export function breaksExit(results: readonly BreakResult[]): number {
  if (named(results, 'survived').length > 0) return 1
  return named(results, 'inconclusive').length > 0 ? 2 : 0
}
