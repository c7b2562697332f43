import type { ExpectationMismatch } from '../verdict/expectation-mismatch.ts'
import type { Outcome } from '../verdict/outcome.ts'
import { contradicting } from '../verdict/verdict.ts'
import { warningsOf } from './answer-warnings.ts'
import { coverageSentence, openSentence, tally } from './coverage.ts'
import { countsText, legend, lostText, runHeadline, tagsText, worstFirst } from './legend.ts'
import { oneLine } from './printable.ts'
import type { Report, VerdictRecord } from './record.ts'
import { repeatCommand } from './repeat.ts'

/** Cells are cut to this many characters: a job summary is limited to a mebibyte. */
const cellLength = 240

/** Bytes of one table, of which there are two, and scenarios that are to be seen again. */
const most = { bytes: 400_000, commands: 100 }

/** Outcomes nobody needs to look at; they stand in the folded table only. */
const well: readonly Outcome[] = ['pass', 'observed', 'inapplicable']

/** A run as a CI job's summary: the conclusion, what is not well, everything else folded away. */
export function markdown(report: Report): string {
  const { header, verdicts, footer } = report
  const { counts, coverage } = tally(report)
  const { outcome, text } = runHeadline(report)
  const notable = worstFirst(verdicts).filter((one) => !well.includes(one.outcome))
  const failed = new Set(
    verdicts.filter((one) => contradicting.includes(one.outcome)).map((one) => one.scenario)
  )
  const blocks = [
    `## ${legend[outcome].mark} ${text}`,
    `**Plimsoll** on ${escaped(header.target.name)}: ${countsText(counts)}`,
    footer?.complete
      ? ''
      : '> The run is incomplete: it was interrupted, or did not reach its end.',
    report.lost ? `> ${lostText(report.lost)}` : '',
    [coverageSentence(coverage), openSentence(header.document)].filter(Boolean).join('; '),
    (footer?.remarks ?? []).map(remark).join('\n'),
    verdicts.flatMap(warned).slice(0, most.commands).join('\n'),
    notable.length > 0 ? `### What needs a look\n\n${table(notable)}` : '',
    failed.size > 0 ? `### To see it again\n\n${commands(report, [...failed])}` : '',
    folded(
      verdicts.length === 1 ? 'The verdict' : `All ${verdicts.length} verdicts`,
      table(verdicts)
    ),
    `<sub>${escaped(footnote(report))}</sub>`
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function remark({ text, failing }: ExpectationMismatch): string {
  return `- ${failing ? `${legend.fail.mark} ` : ''}${escaped(text)}`
}

/** What a load's answers were, which its verdict need not say. */
function warned(verdict: VerdictRecord): string[] {
  return warningsOf(verdict).map((text) => `- ${escaped(`${verdict.scenario}: ${text}`)}`)
}

function table(verdicts: readonly VerdictRecord[]): string {
  const rows: string[] = []
  let bytes = 0
  for (const verdict of verdicts) {
    if (bytes > most.bytes) break
    const made = row(verdict)
    bytes += Buffer.byteLength(made)
    rows.push(made)
  }
  const head = [
    '| outcome | clause | documented | observed | because |',
    '| --- | --- | --- | --- | --- |'
  ]
  const left = verdicts.length - rows.length
  const rest = left > 0 ? ['', `And ${left} more, in results.ndjson.`] : []
  return [...head, ...rows, ...rest].join('\n')
}

function row({ outcome, clause, documented, observed, because }: VerdictRecord): string {
  const texts = [documented, observed, because].map(escaped)
  return `| ${legend[outcome].mark} ${outcome} | ${code(clause)} | ${texts.join(' | ')} |`
}

function folded(title: string, content: string): string {
  return `<details>\n<summary>${title}</summary>\n\n${content}\n\n</details>`
}

function commands({ header }: Report, scenarios: string[]): string {
  const shown = scenarios.slice(0, most.commands)
  const lines = shown.map((scenario) => oneLine(repeatCommand(header, scenario), 2_000))
  const left = scenarios.length - shown.length
  const rest = left > 0 ? [`# and ${left} more`] : []
  return ['```sh', ...lines, ...rest, '```'].join('\n')
}

function footnote({ header, footer }: Report): string {
  const { tool, seed, startedAt, host, document } = header
  const took = footer ? [`took ${(footer.ms / 1_000).toFixed(1)} s`] : []
  const held = header.expectations ? [`held against ${header.expectations.file}`] : []
  const parts = [
    tool,
    `started ${startedAt}`,
    ...took,
    `seed ${seed}`,
    `Node ${host.node}`,
    ...held,
    ...(header.tags ? [tagsText(header.tags)] : [])
  ]
  const of = document.sha256 === '' ? [] : [`document ${document.sha256.slice(0, 12)}`]
  const quoted = document.source ? [`quoting ${document.source.sha256.slice(0, 12)}`] : []
  return [...parts, ...of, ...quoted].join(' · ')
}

/** Text as Markdown that shows just this text, in a cell as well as elsewhere. */
function escaped(text: string): string {
  return oneLine(text, cellLength).replace(/[\\`*_{}[\]<>#|~&$!@]/g, '\\$&')
}

/** Text between backticks, which no backslash gets out of. */
function code(text: string): string {
  return `\`${oneLine(text, cellLength).replaceAll('`', "'").replaceAll('|', '\\|')}\``
}
