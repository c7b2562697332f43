import { styleText } from 'node:util'
import type { Outcome } from '../verdict/outcome.ts'
import { contradicting, type Verdict } from '../verdict/verdict.ts'
import { coverageSentence, openSentence, tally } from './coverage.ts'
import { countsText, legend, lostText, runHeadline, worstFirst } from './legend.ts'
import { oneLine, printable, shortened } from './printable.ts'
import { grouped } from './quantity.ts'
import type { Report, VerdictRecord } from './record.ts'
import { repeatCommand } from './repeat.ts'

type Colour = Parameters<typeof styleText>[0]
type Paint = (colour: Colour, text: string) => string

const colours: Record<Outcome, Colour> = {
  fail: 'red',
  warning: 'yellow',
  error: 'magenta',
  inconclusive: 'yellow',
  blocked: 'yellow',
  changed: 'cyan',
  deviation: 'cyan',
  observed: 'blue',
  pass: 'green',
  inapplicable: 'gray',
  untested: 'gray'
}

/** Outcomes whose reason matters more than what was seen. */
const unsettled: readonly Outcome[] = ['error', 'inconclusive', 'blocked', 'inapplicable']

type Options = {
  /** Colours and weights as terminal escapes; without them the text is plain. */
  colour: boolean
}

/** One verdict on one line, as it is printed while a run goes on. */
export function verdictLine(
  {
    outcome,
    clause,
    observed,
    because
  }: Pick<Verdict, 'outcome' | 'clause' | 'observed' | 'because'>,
  { colour }: Options
): string {
  const paint = painter(colour)
  const label = paint(colours[outcome], `${legend[outcome].mark} ${outcome.padEnd(12)}`)
  const text = unsettled.includes(outcome) ? because : observed
  return `${label}  ${oneLine(clause)}  ${paint('dim', oneLine(text, 160))}`
}

/** Blocks of a kind, lines of a block and characters of a line that are printed. */
const most = { blocks: 100, lines: 1_000, characters: 2_000 }

/**
 * What a run came to, to be read from the bottom up: the conclusion, the totals, then what to do
 * next. With `verdicts: 'listed'` every verdict comes first, for a run nobody watched.
 */
export function terminal(
  report: Report,
  { colour, verdicts = 'omitted' }: Options & { verdicts?: 'listed' | 'omitted' }
): string {
  const paint = painter(colour)
  const list = verdicts === 'listed' ? report.verdicts : []
  return [
    list.map((verdict) => verdictLine(verdict, { colour })),
    ...failures(report, contradicting, paint),
    ...unsettledGroups(report, paint),
    ...failures(report, ['changed'], paint),
    ...recorded(report, paint),
    totals(report, paint)
  ]
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')
}

/** The verdicts of some outcomes, a block each. */
function failures(report: Report, those: readonly Outcome[], paint: Paint): string[][] {
  const told = report.verdicts.filter((one) => those.includes(one.outcome))
  const shown = told.slice(0, most.blocks).map((one) => failure(report, one, paint))
  const more = told.length - shown.length
  return more > 0 ? [...shown, [`… and ${more} more like these, in the report`]] : shown
}

/** What loads recorded besides requests, a block each. */
function recorded({ verdicts }: Report, paint: Paint): string[][] {
  const told = [...new Map(verdicts.map((one) => [one.scenario, one.evidence])).entries()]
  return told.slice(0, most.blocks).flatMap(([scenario, evidence]) => {
    const own = evidence.kind === 'load' ? Object.entries(evidence.summary.own ?? {}) : []
    if (own.length === 0) return []
    const lines = own.map(([name, { value, unit }]) => {
      return `  ${oneLine(name, 80).padEnd(24)} ${grouped(value)} ${oneLine(unit, 40)}`
    })
    return [[paint('dim', oneLine(scenario)), ...lines.slice(0, most.lines)]]
  })
}

function painter(colour: boolean): Paint {
  return colour
    ? (format, text) => styleText(format, text, { validateStream: false })
    : (_, text) => text
}

/** A clause that fails or has changed: what was promised and seen, and how to see it again. */
function failure({ header }: Report, verdict: VerdictRecord, paint: Paint): string[] {
  const row = (name: string, text: string) =>
    `  ${paint('dim', name.padEnd(10))}  ${oneLine(text, most.characters)}`
  return [
    paint(
      [colours[verdict.outcome], 'bold'].flat() as Colour,
      `${legend[verdict.outcome].mark} ${oneLine(verdict.clause)}`
    ),
    row('documented', verdict.documented),
    row('observed', verdict.observed),
    row('because', verdict.because),
    row('again', repeatCommand(header, verdict.scenario))
  ]
}

/** Clauses without a conclusion, a block for each reason: one cause often stops many of them. */
function unsettledGroups({ header, verdicts }: Report, paint: Paint): string[][] {
  const open = worstFirst(verdicts.filter((one) => unsettled.includes(one.outcome)))
  const groups = Map.groupBy(
    open,
    (one) => `${one.outcome}: ${oneLine(one.because, most.characters)}`
  )
  const shown = [...groups].slice(0, most.blocks).map(([title, those]) => {
    const { outcome } = those[0]!
    const scenarios = [...Map.groupBy(those, (one) => one.scenario)]
    const lines = [
      ...frameLines(those[0]!.evidence).map((line) => `  ${line}`),
      ...scenarios.flatMap(([scenario, of]) => [
        ...of.map((one) => `  ${oneLine(one.clause, most.characters)}`),
        `  ${paint('dim', oneLine(repeatCommand(header, scenario), most.characters))}`
      ])
    ]
    const left = lines.length - most.lines
    const rest = left > 0 ? [`  … and ${left} more lines, in the report`] : []
    const first = paint(colours[outcome], `${legend[outcome].mark} ${title}`)
    return [first, ...lines.slice(0, most.lines), ...rest]
  })
  const more = groups.size - shown.length
  return more > 0 ? [...shown, [`… and ${more} more reasons, in the report`]] : shown
}

/** The code that threw, where that is why there is no conclusion. */
function frameLines(evidence: VerdictRecord['evidence']): string[] {
  const frame = evidence.kind === 'none' ? evidence.fault?.frame : undefined
  return frame === undefined ? [] : shortened(printable(frame), most.characters).split('\n')
}

function totals(report: Report, paint: Paint): string[] {
  const { counts, coverage } = tally(report)
  const { outcome, text } = runHeadline(report)
  const open = openSentence(report.header.document)
  const incomplete = report.footer?.complete
    ? []
    : [paint('yellow', 'The run is incomplete: it was interrupted, or did not reach its end.')]
  return [
    paint([colours[outcome], 'bold'].flat() as Colour, `${legend[outcome].mark} ${text}`),
    `  ${countsText(counts)}`,
    ...(coverage.clauses > 0 ? [`  ${coverageSentence(coverage)}`] : []),
    ...(open === undefined ? [] : [`  ${open}`]),
    ...(report.footer?.remarks ?? []).map(({ text, failing }) =>
      failing
        ? paint('red', `  ${legend.fail.mark} ${oneLine(text)}`)
        : paint('cyan', `  ${oneLine(text)}`)
    ),
    ...incomplete.map((line) => `  ${line}`),
    ...(report.lost ? [`  ${paint('yellow', lostText(report.lost))}`] : [])
  ]
}
