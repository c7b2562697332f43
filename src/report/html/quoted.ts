import type { Outcome } from '../../verdict/outcome.ts'
import { legend } from '../legend.ts'
import { shortened } from '../printable.ts'
import type { ClauseRecord, Report, VerdictRecord } from '../record.ts'
import { standingsOf } from '../standing.ts'
import { coverageBar, sharesOf, sharesText } from './coverage-bar.ts'
import { type Content, type Markup, markup } from './markup.ts'

/** Clauses of one document that are shown with their words, and characters of each. */
const most = { clauses: 5_000, characters: 2_000 }

/** What a verdict's card is found by on the page. */
export function cardAddress({ scenario, clause }: Pick<VerdictRecord, 'scenario' | 'clause'>) {
  return `${shortened(scenario, 4_000)}:${shortened(clause, 4_000)}`
}

/** Words of a document, with what stands between backticks as code. */
export function withCode(text: string): Content {
  return text.split('`').map((part, at) => (at % 2 === 0 ? part : markup`<code>${part}</code>`))
}

/** Lines of a document in words: `line 12`, `lines 3-4`. */
export function lineText(lines: string): string {
  return `${/^\d+$/.test(lines) ? 'line' : 'lines'} ${lines}`
}

const firstLine = ({ lines = '' }: ClauseRecord) => Number.parseInt(lines, 10) || 0

/** The clauses that quote the document, in its order, as many as are shown. */
function quoting({ inventory = [] }: Report): ClauseRecord[] {
  return inventory
    .filter(({ quote }) => quote !== undefined)
    .sort((one, other) => firstLine(one) - firstLine(other))
    .slice(0, most.clauses)
}

/** Where on the page the words of each clause stand that quotes the document. */
export function quotationAddresses(report: Report): Map<string, string> {
  return new Map(quoting(report).map(({ id }, index) => [id, `said-${index + 1}`]))
}

/** The verdict that decides where each clause stands. */
function worstOf({ verdicts, plan }: Report): Map<string, VerdictRecord> {
  const standings = standingsOf(verdicts, plan).filter(({ isOwn }) => !isOwn)
  return new Map(standings.map(({ subject, verdicts: [first] }) => [subject, first!]))
}

/** The document as far as clauses quote it, each sentence with what came of it. */
export function quotedDocument(report: Report): Markup | undefined {
  const { source } = report.header.document
  const clauses = quoting(report)
  if (clauses.length === 0) return undefined
  const worst = worstOf(report)
  const addresses = quotationAddresses(report)
  const sections = [...Map.groupBy(clauses, ({ section = '' }) => section)]
  return markup`<section class="quoted" aria-label="The document">
<h2 class="file">${source?.file ?? 'The document'} <small>${clauses.length} ${
    clauses.length === 1 ? 'sentence' : 'sentences'
  }</small></h2>
<p class="meaning">What the document says, in its order, and what came of it.</p>
<div class="chapters">
${sections.map(([section, those]) => {
  const outcomes = those.map(({ id }) => worst.get(id)?.outcome ?? 'untested')
  const shares = sharesOf(outcomes)
  return markup`<details class="chapter">
<summary><h3>${section || 'The document'}</h3> ${coverageBar(shares, 6)}
<small>${sharesText(shares)}</small></summary>
<ul>${those.map((clause) => sentence(clause, addresses.get(clause.id)!, worst.get(clause.id)))}</ul>
</details>
`
})}</div></section>`
}

function sentence(
  { id, quote = '', lines = '' }: ClauseRecord,
  address: string,
  verdict: VerdictRecord | undefined
): Markup {
  const outcome: Outcome = verdict?.outcome ?? 'untested'
  const name = markup`<code>${shortened(id, most.characters)}</code>`
  const card = verdict && encodeURIComponent(cardAddress(verdict))
  const words = withCode(shortened(quote, most.characters))
  return markup`<li id="${address}" class="${outcome}" data-outcome="${outcome}"><p>${words}</p>
<small>${lineText(lines)} · <span class="sign">${legend[outcome].mark} ${outcome}</span> ${
    card === undefined ? name : markup`<a href="#${card}">${name}</a>`
  }</small></li>
`
}
