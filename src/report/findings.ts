import { createHash } from 'node:crypto'
import type { Outcome } from '../verdict/outcome.ts'
import { worstFirst } from './legend.ts'
import { oneLine } from './printable.ts'
import type { ClauseRecord, Header, Report, VerdictRecord } from './record.ts'
import { repeatCommand } from './repeat.ts'

/** How a verdict counts for whoever gates: proven wrong, not known, not asked for. */
export type CaseStanding = 'failure' | 'error' | 'skipped'

/** An outcome that is not here is well. */
const standings: Partial<Record<Outcome, CaseStanding>> = {
  fail: 'failure',
  warning: 'failure',
  error: 'error',
  inconclusive: 'error',
  blocked: 'error',
  inapplicable: 'skipped',
  untested: 'skipped'
}

/**
 * How a verdict is not well, if it is not; what has changed fails where a gate says so, and advice
 * that is not followed where nobody said that it shall only warn.
 */
export function standingOf(
  { outcome }: Pick<VerdictRecord, 'outcome'>,
  { expectations, advice }: Header
): CaseStanding | undefined {
  if (outcome === 'warning' && advice === 'warn') return undefined
  return outcome === 'changed' && expectations?.gate ? 'failure' : standings[outcome]
}

/** A line of a file, the first of some. */
export type ClausePlace = { file: string; line: number }

/** What stands for the place of what is in no file: a code scanner takes nothing without one. */
export const noPlace: ClausePlace = { file: 'plimsoll', line: 1 }

/** Something a run has to say to whoever looks at the code, and where that is to be shown. */
export type ReportFinding = {
  verdict: VerdictRecord
  level: 'error' | 'warning'
  clause: ClauseRecord | undefined
  /** What the clause quotes, else the inventory, seen from the folder of the command. */
  place: ClausePlace | undefined
  /** What was promised, seen and concluded, and how to see it again, on a line each. */
  story: string
  /** The same for the same clause of the same scenario in every run. */
  fingerprint: string
}

/** What is not well, the worst first; advice that shall only warn is a warning here too. */
export function findings({ header, verdicts, inventory = [] }: Report): ReportFinding[] {
  const clauses = new Map(inventory.map((one) => [one.id, one]))
  return worstFirst(verdicts).flatMap((verdict) => {
    const standing = standingOf(verdict, header)
    const { outcome, scenario, clause: id } = verdict
    if (standing !== 'failure' && standing !== 'error' && outcome !== 'warning') return []
    const clause = clauses.get(id)
    const level = standing === 'failure' ? 'error' : 'warning'
    const place = placeOf(header, clause)
    const fingerprint = createHash('sha256').update(`${scenario}\0${id}`).digest('hex')
    return [{ verdict, level, clause, place, story: storyOf(header, verdict, clause), fingerprint }]
  })
}

/** Where a clause stands in a file of the project, where that is known. */
export function placeOf(
  { document: { folder, source } }: Header,
  clause: ClauseRecord | undefined
): ClausePlace | undefined {
  if (folder === undefined) return undefined
  const within = (file: string) => (folder === '' ? file : `${folder}/${file}`)
  const line = Number(/^\d{1,9}/.exec(clause?.lines ?? '')?.[0] ?? 0)
  const isQuoted = source !== undefined && clause?.quote !== undefined && line > 0
  return isQuoted ? { file: within(source.file), line } : { file: within('clauses.json'), line: 1 }
}

/** Where the document says it, in words: `section, lines 21-29`. */
export function whereText({ section = '', lines = '' }: Partial<ClauseRecord>): string {
  return [section, lines && `${/^\d+$/.test(lines) ? 'line' : 'lines'} ${lines}`]
    .filter(Boolean)
    .join(', ')
}

function storyOf(header: Header, verdict: VerdictRecord, clause?: ClauseRecord): string {
  const { documented, observed, because, scenario } = verdict
  const where = whereText(clause ?? {})
  const rows: [string, string][] = [
    ['documented', where === '' ? documented : `${documented} (${where})`],
    ['observed', observed],
    ['because', because],
    ['again', repeatCommand(header, scenario)]
  ]
  return rows.map(([name, text]) => `${name}: ${oneLine(text, 1_000)}`).join('\n')
}
