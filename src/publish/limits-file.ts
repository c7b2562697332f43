import * as v from 'valibot'
import { numberIn, readings } from '../limit/limit.ts'
import { count, finite } from '../number.ts'
import type { ClauseRecord, Report, VerdictRecord } from '../report/record.ts'
import { type Outcome, type OutcomeCounts, outcomes } from '../verdict/outcome.ts'
import { parseWritten } from '../written.ts'

/** The schema that a file of verified limits names. */
export const schemaName = 'plimsoll-limits/1'

/** Windows that a limit may count in, in seconds. */
const windows = {
  ...{ second: 1, minute: 60, hour: 3_600, day: 86_400 },
  ...{ week: 604_800, month: 2_592_000, year: 31_536_000 }
}

/** A window by its name, as units have it: requests/minute. */
export type RateWindow = keyof typeof windows

/** How windows are written as well. */
const short: Record<RateWindow, string[]> = {
  ...{ second: ['s', 'sec'], minute: ['min'], hour: ['h', 'hr'], day: ['d'] },
  ...{ week: ['w'], month: [], year: [] }
}

const windowNames = Object.keys(windows) as RateWindow[]

/** The name of a window, where it has one; a month is taken for 30 days, a year for 365. */
export function windowName(seconds: number): RateWindow | undefined {
  return windowNames.find((name) => windows[name] === seconds)
}

/** How many seconds a window has that a document writes: `minute`, `2 s`, `90 seconds`. */
export function windowSeconds(window: string): number | undefined {
  const [, times = '1', unit = ''] = /^(?:(\d+(?:\.\d+)?)\s*)?([a-z]+)$/.exec(window.trim()) ?? []
  const name = windowNames.find((one) => [one, `${one}s`, ...short[one]].includes(unit))
  return name === undefined || Number(times) <= 0 ? undefined : Number(times) * windows[name]
}

const text = (meaning: string) => v.pipe(v.string(), v.description(meaning))
const outcome = v.picklist(outcomes)

const number = v.looseObject({
  value: v.pipe(finite, v.description('The largest value that is accepted, as documented')),
  unit: text('What it counts, as documented'),
  readings: v.pipe(
    v.array(finite),
    v.nonEmpty(),
    v.description('All that it can mean in base units, ascending: 16 KB is 16000 or 16384')
  ),
  counts: text('What is counted: requests'),
  per: v.optional(
    v.pipe(
      v.picklist(windowNames),
      v.description('The window of a limit over time, where it has a name')
    )
  ),
  windowSeconds: v.optional(
    v.pipe(finite, v.description('That of a window without a name, in seconds'))
  )
})

const verified = v.looseObject({
  verdict: v.pipe(outcome, v.description('The worst of what the scenarios found')),
  observed: v.optional(text('What the target did')),
  because: v.optional(text('How the verdict follows')),
  accepted: v.optional(
    v.pipe(finite, v.description('The largest value that every variant accepted, in base units'))
  ),
  refused: v.optional(
    v.pipe(finite, v.description('The smallest value that every variant refused, in base units'))
  ),
  refusal: v.optional(text('How it refuses: HTTP 414')),
  scenarios: v.pipe(v.array(v.string()), v.description('By which it was judged'))
})

const clause = v.looseObject({
  ...{ id: v.string(), kind: v.string(), documented: v.string() },
  unit: v.optional(text('The end of `documented` that clauses.json has beside it')),
  ...{ derived: v.optional(v.boolean()), quote: v.optional(v.string()) },
  ...{ section: v.optional(v.string()), lines: v.optional(v.string()) },
  ...{ source: v.optional(v.string()), pointer: v.optional(v.string()) },
  ...{ plan: v.optional(v.string()), restates: v.optional(v.string()) },
  ...{ presupposes: v.optional(v.array(v.string())), notes: v.optional(v.string()) },
  number: v.optional(number),
  verified
})

/** What a file of verified limits has to look like. */
export const limitsSchema = v.looseObject({
  $schema: v.optional(v.string()),
  schema: v.literal(schemaName),
  subject: text('Whose limits they are'),
  document: v.looseObject({
    clauses: text('SHA-256 of clauses.json'),
    source: v.optional(v.looseObject({ file: v.string(), sha256: v.string() }))
  }),
  verified: v.looseObject({
    at: v.pipe(v.string(), v.isoTimestamp(), v.description('When the run began, in UTC')),
    by: text('The tool and its version'),
    run: text('SHA-256 of the results.ndjson that it was drawn from'),
    complete: v.pipe(v.boolean(), v.description('Whether the run reached its end')),
    counts: v.record(outcome, v.optional(count))
  }),
  clauses: v.array(clause)
})

/** What a document states, and what was found of it. */
export type LimitsFile = v.InferOutput<typeof limitsSchema>

/** One statement of it. */
export type PublishedClause = LimitsFile['clauses'][number]

/** The number of a statement, where it is one. */
export type PublishedNumber = NonNullable<PublishedClause['number']>

/** The window in seconds of a number that is a limit over time. */
export function windowOf({ per, windowSeconds }: PublishedNumber): number | undefined {
  return per === undefined ? windowSeconds : windows[per]
}

/** A file of verified limits; throws an Error that names the file, the field and the fix. */
export function parseLimits(content: string, file: string): LimitsFile {
  const complaint = (issue: v.BaseIssue<unknown>) =>
    `${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`
  return parseWritten(limitsSchema, { text: content, file, complaint })
}

/**
 * The clauses of a file of verified limits, as `clauses.json` has them: what was found of them is
 * left out.
 */
export function clausesOf({ clauses }: LimitsFile): object[] {
  return clauses.map(({ verified: _, number: __, ...clause }) => withUnitBeside(clause))
}

/** A clause whose unit stands beside its number, where `unit` says that it does. */
export function withUnitBeside<Clause extends { documented: string; unit?: unknown }>(
  clause: Clause
): Clause {
  const { documented, unit } = clause
  const end = typeof unit === 'string' && unit !== '' ? ` ${unit}` : undefined
  if (end === undefined || !documented.endsWith(end)) return clause
  return { ...clause, documented: documented.slice(0, -end.length) }
}

/** What a run found of its document. `run` is the SHA-256 of its results file. */
export function limitsFile(report: Report, run: string): LimitsFile {
  const { header, inventory = [], verdicts, footer } = report
  const byClause = Map.groupBy(verdicts, (verdict) => verdict.clause)
  const clauses = inventory.map(({ t: _, ...said }) => {
    const number = said.kind === 'limit' ? numberOf(said) : undefined
    return {
      ...said,
      ...(number && { number }),
      verified: found(byClause.get(said.id) ?? [])
    }
  })
  const counts: OutcomeCounts = {}
  for (const { verified } of clauses) {
    counts[verified.verdict] = (counts[verified.verdict] ?? 0) + 1
  }
  return {
    schema: schemaName,
    subject: header.target.name,
    document: {
      clauses: header.document.sha256,
      ...(header.document.source && { source: header.document.source })
    },
    verified: {
      ...{ at: header.startedAt, by: header.tool, run },
      ...{ complete: footer?.complete === true, counts }
    },
    clauses
  }
}

function numberOf({ documented }: Pick<ClauseRecord, 'documented'>): PublishedNumber | undefined {
  const said = numberIn(documented)
  if (said === undefined) return
  const [counts = '', window] = said.unit.split(/\s*\/\s*|\s+per\s+/)
  const seconds = window === undefined ? undefined : windowSeconds(window)
  const per = seconds === undefined ? undefined : windowName(seconds)
  return {
    ...{ ...said, readings: readings(said.value, said.unit), counts },
    ...(per ? { per } : seconds !== undefined && { windowSeconds: seconds })
  }
}

const worse = (one: Outcome, other: Outcome) => outcomes.indexOf(one) - outcomes.indexOf(other)

function found(verdicts: readonly VerdictRecord[]): PublishedClause['verified'] {
  const [worst] = verdicts.toSorted((one, other) => worse(one.outcome, other.outcome))
  if (worst === undefined) return { verdict: 'untested', scenarios: [] }
  const scenarios = verdicts.map(({ scenario }) => scenario)
  const { outcome: verdict, observed, because } = worst
  return { verdict, observed, because, ...boundaryOf(worst), scenarios }
}

/** Between which values the line was drawn, where every variant drew one. */
function boundaryOf({ evidence }: VerdictRecord): Partial<PublishedClause['verified']> {
  if (evidence.kind !== 'boundary') return {}
  const all = evidence.boundaries.map(({ boundary }) => boundary)
  const lines = all.flatMap((boundary) => (boundary.kind === 'found' ? boundary : []))
  if (lines.length === 0 || lines.length < all.length) return {}
  const refusals = lines.flatMap(({ asked }) =>
    asked.flatMap(({ kind, because }) => (kind === 'rejected' ? because : []))
  )
  const [refusal, ...others] = new Set(refusals)
  return {
    accepted: Math.min(...lines.map(({ accepted }) => accepted!)),
    refused: Math.max(...lines.map(({ rejected }) => rejected!)),
    ...(refusal !== undefined && others.length === 0 && { refusal })
  }
}
