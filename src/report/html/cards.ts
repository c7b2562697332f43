import { contradicting } from '../../verdict/verdict.ts'
import { oneLine, shortened } from '../printable.ts'
import { duration, grouped } from '../quantity.ts'
import type { ClauseRecord, Header, Report, VerdictRecord } from '../record.ts'
import { repeatCommand } from '../repeat.ts'
import { evidenceOf } from './evidence.ts'
import { type Content, type Markup, markup } from './markup.ts'
import { cardAddress, lineText, quotationAddresses, withCode } from './quoted.ts'

/**
 * Characters of all cards on a page, the worst first; a browser would not open more. What has no
 * card is counted.
 */
const mostCharacters = 64_000_000

/** Characters of one text on a card. */
const most = 4_000

/** A page while it is drawn: the run, what its document says of itself, and characters left. */
export type Sheet = {
  report: Report
  clauses: ReadonlyMap<string, ClauseRecord>
  titles: ReadonlyMap<string, string | undefined>
  /** Where on the page the words stand that a clause quotes. */
  quotations: ReadonlyMap<string, string>
  left: number
  /** What stands in the cards that are closed at first; a card tells its place in here. */
  insides: Markup[]
}

/** Begins the page of a run. */
export function sheetOf(report: Report): Sheet {
  const { inventory = [], plan = [] } = report
  const clauses = new Map(inventory.map((one) => [one.id, one]))
  const titles = new Map(plan.map(({ id, title }) => [id, title && `${title}: `]))
  const quotations = quotationAddresses(report)
  return { report, clauses, titles, quotations, left: mostCharacters, insides: [] }
}

/** The cards of some verdicts; undefined where the page has no room for them. */
export function cardsOf(sheet: Sheet, verdicts: readonly VerdictRecord[]): Markup | undefined {
  if (sheet.left <= 0) return undefined
  return markup`${verdicts.map((verdict) => card(sheet, verdict))}`
}

/**
 * A verdict: open where it contradicts the document, or is all that the command was about. What is
 * not well stands in the page as it is, for those whose browser may run no script.
 */
function card(sheet: Sheet, verdict: VerdictRecord): Markup {
  const { header } = sheet.report
  const { clause, outcome, observed, because } = verdict
  const isUnsettled = ['error', 'inconclusive', 'blocked', 'inapplicable'].includes(outcome)
  const gist = oneLine(isUnsettled ? because : observed, 200)
  const isOpen = contradicting.includes(outcome) || header.command !== undefined
  const content = inside(sheet, verdict, isUnsettled || isOpen)
  sheet.left -= content.markup.length
  const isInline = isOpen || isUnsettled
  const place = isInline ? undefined : sheet.insides.push(content) - 1
  return markup`<details class="verdict" id="${cardAddress(verdict)}"${
    isOpen ? markup` open` : place !== undefined && markup` data-inside="${place}"`
  }><summary><code>${shortened(clause, most)}</code> <span>${gist}</span></summary>
${isInline && content}</details>
`
}

/** What a card tells when it is open. */
function inside(sheet: Sheet, verdict: VerdictRecord, isWhole: boolean): Markup {
  const { header, probes } = sheet.report
  const { scenario, clause, documented, derived, observed, because, evidence, ms } = verdict
  const asked = Object.hasOwn(probes, clause) ? probes[clause] : undefined
  const said = (text: string) => shortened(text, most)
  const again = said(repeatCommand(header, scenario))
  const questions =
    asked === undefined ? '' : `, ${grouped(asked)} ${asked === 1 ? 'question' : 'questions'}`
  const { quote, section = '', lines = '' } = sheet.clauses.get(clause) ?? {}
  const title = said(sheet.titles.get(scenario) ?? '')
  const where = said([section, lines && lineText(lines)].filter(Boolean).join(', '))
  return markup`<div class="inside">
<dl>
${quote !== undefined && markup`<dt>Quoted</dt><dd class="said">${withCode(said(quote))}</dd>`}
${where !== '' && markup`<dt>Where</dt><dd>${linked(where, sheet.quotations.get(clause))}</dd>`}
<dt>${demandName(header, derived)}</dt>
<dd class="said">${said(documented)}</dd>
<dt>Observed</dt><dd class="said">${said(observed)}</dd>
<dt>Because</dt><dd class="said because">${said(because)}</dd>
<dt>${header.command ? 'Subject' : 'Scenario'}</dt>
<dd>${title}${said(scenario)} (${duration(ms)}${questions})</dd>
<dt>Again</dt><dd><code class="command">${again}</code></dd>
</dl>
${
  verdict.evidenceLeftOut
    ? markup`<p>Its evidence is in results.ndjson.</p>`
    : evidenceOf(evidence, isWhole)
}
</div>`
}

/** What a verdict is held against is called. */
function demandName({ command }: Header, derived?: boolean): string {
  if (command !== undefined) return command[0] === 'load' ? 'Objectives' : 'Demanded'
  return derived ? 'Advised' : 'Documented'
}

/** A text as a link to a place on the page, where there is one. */
function linked(text: string, address: string | undefined): Content {
  return address === undefined ? text : markup`<a href="#${address}">${text}</a>`
}
