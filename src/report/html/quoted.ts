import type { Outcome } from '../../verdict/outcome.ts'
import { worse } from '../../verdict/verdict.ts'
import { legend } from '../legend.ts'
import { shortened } from '../printable.ts'
import type { ClauseRecord, Report, VerdictRecord } from '../record.ts'
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

/** The worst of the verdicts about each clause. */
function worstOf({ verdicts }: Report): Map<string, VerdictRecord> {
  const worst = new Map<string, VerdictRecord>()
  for (const one of verdicts) {
    const other = worst.get(one.clause)
    const isWorse = other === undefined || worse(one.outcome, other.outcome) !== other.outcome
    if (isWorse) worst.set(one.clause, one)
  }
  return worst
}

/** The document as far as clauses quote it, each sentence with what came of it. */
export function quotedDocument(report: Report): Markup | undefined {
  const { source } = report.header.document
  const clauses = quoting(report)
  if (clauses.length === 0) return undefined
  const worst = worstOf(report)
  const addresses = quotationAddresses(report)
  const sections = [...Map.groupBy(clauses, ({ section = '' }) => section)]
  return markup`<section class="quoted">
<h2>${source?.file ?? 'The document'} <small>${clauses.length}</small></h2>
<p class="meaning">What the document says, in its order, and what came of it.</p>
${sections.map(
  ([section, those]) => markup`<h3>${section}</h3>
<ul>${those.map((clause) => sentence(clause, addresses.get(clause.id)!, worst.get(clause.id)))}</ul>
`
)}</section>`
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
  return markup`<li id="${address}" class="${outcome}"><p>${words}</p>
<small>${lineText(lines)} · <span class="sign">${legend[outcome].mark} ${outcome}</span> ${
    card === undefined ? name : markup`<a href="#${card}">${name}</a>`
  }</small></li>
`
}
