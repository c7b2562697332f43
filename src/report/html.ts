import { type Outcome, outcomes } from '../verdict/outcome.ts'
import { contradicting, worse } from '../verdict/verdict.ts'
import { coverageSentence, openSentence, tally } from './coverage.ts'
import { evidenceOf } from './html/evidence.ts'
import { filter } from './html/filter.ts'
import { imprint } from './html/imprint.ts'
import { type Content, type Markup, markup } from './html/markup.ts'
import { logo, page } from './html/page.ts'
import { percentileCurve } from './html/percentile-curve.ts'
import {
  cardAddress,
  lineText,
  quotationAddresses,
  quotedDocument,
  withCode
} from './html/quoted.ts'
import { legend, lostText, runHeadline } from './legend.ts'
import { oneLine, shortened } from './printable.ts'
import { duration, grouped } from './quantity.ts'
import type { ClauseRecord, Report, VerdictRecord } from './record.ts'
import { repeatCommand } from './repeat.ts'
import { mostShown } from './thinning.ts'

/**
 * Characters of all cards on a page, the worst first; a browser would not open more. What has no
 * card is counted.
 */
const mostCharacters = 64_000_000

/** Characters of one text on a card, and scenarios, distributions and numbers of measurements. */
const most = { characters: 4_000, measured: 200 }

/** A page while it is drawn: the run, what its document says of itself, and characters left. */
type Sheet = {
  report: Report
  clauses: ReadonlyMap<string, ClauseRecord>
  titles: ReadonlyMap<string, string | undefined>
  /** Where on the page the words stand that a clause quotes. */
  quotations: ReadonlyMap<string, string>
  left: number
}

function sheetOf(report: Report): Sheet {
  const { inventory = [], plan = [] } = report
  const clauses = new Map(inventory.map((one) => [one.id, one]))
  const titles = new Map(plan.map(({ id, title }) => [id, title && `${title}: `]))
  return { report, clauses, titles, quotations: quotationAddresses(report), left: mostCharacters }
}

/** A run as one HTML file that needs nothing else; its only script is to search. */
export function html(report: Report): string {
  const { header, verdicts } = report
  const { text } = runHeadline(report)
  const groups = outcomes.filter((outcome) => verdicts.some((one) => one.outcome === outcome))
  const sheet = sheetOf(report)
  return page({
    title: `${text} · ${header.target.name} · Plimsoll`,
    script: filter,
    body: markup`<a class="skip" href="#verdicts">Skip to the verdicts</a>
${masthead(report)}
${controls(report, groups)}
<main id="verdicts">
${groups.map((outcome) => section(sheet, outcome))}
${measurements(report)}
${quotedDocument(report)}
</main>
${imprint(report)}`
  })
}

function masthead(report: Report): Markup {
  const { header, footer } = report
  const { coverage } = tally(report)
  const { outcome, text } = runHeadline(report)
  const open = openSentence(header.document)
  const when = header.startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')
  const took = footer && `, in ${duration(footer.ms)}`
  return markup`<header>
<p class="brand">${logo} Plimsoll <span>on ${header.target.name}</span></p>
<h1 class="${outcome}">${text}</h1>
<p class="lead">${when}${took}</p>
${
  !footer?.complete &&
  markup`<p class="notice inconclusive" role="note">The run is incomplete: it was
interrupted, or did not reach its end. What it found until then is below.</p>`
}${
  report.lost !== undefined &&
  markup`<p class="notice inconclusive" role="note">${lostText(report.lost)}</p>`
}${(footer?.remarks ?? []).map(
  ({ text, failing }) => markup`
<p class="notice ${failing ? 'fail' : 'deviation'}" role="note">
${text}</p>`
)}
${
  coverage.clauses > 0 &&
  markup`<figure class="coverage">
${coverageBar(report)}
<figcaption>${coverageSentence(coverage)}${open && `; ${open}`}</figcaption>
</figure>`
}
</header>`
}

/** All clauses as one bar, each part an outcome; what nobody asked is the empty end. */
function coverageBar({ header, verdicts }: Report): Markup {
  const worst = new Map<string, Outcome>()
  for (const { clause, outcome } of verdicts) {
    worst.set(clause, worse(outcome, worst.get(clause) ?? 'untested'))
  }
  const total = Math.max(header.document.clauses, worst.size, 1)
  const order = [...outcomes].reverse().filter((outcome) => outcome !== 'untested')
  let from = 0
  const parts = order.map((outcome) => {
    const count = [...worst.values()].filter((one) => one === outcome).length
    const x = from
    from += count
    return (
      count > 0 &&
      markup`<rect class="${outcome}" x="${percent(x, total)}" width="${percent(count, total)}"
height="100%"><title>${count} ${outcome}</title></rect>`
    )
  })
  return markup`<svg role="img" aria-label="${from} of ${total} clauses" width="100%" height="16">
${parts}</svg>`
}

function percent(part: number, total: number): string {
  return `${Math.round((1e5 * part) / total) / 1e3}%`
}

function controls({ verdicts }: Report, groups: readonly Outcome[]): Markup {
  const pills = groups.map((outcome) => {
    const count = verdicts.filter((one) => one.outcome === outcome).length
    return markup`<label class="pill ${outcome}">
<input type="checkbox" id="show-${outcome}" checked>
<span aria-hidden="true">${legend[outcome].mark}</span> ${outcome} <b>${count}</b></label>`
  })
  return markup`<form class="controls" autocomplete="off">
<fieldset><legend>Outcomes to show</legend>${pills}</fieldset>
<div class="search" hidden><input type="search" aria-label="Search the verdicts"
placeholder="Search clauses, scenarios, answers"><output aria-live="polite"></output></div>
</form>`
}

function section(sheet: Sheet, outcome: Outcome): Markup {
  const { mark, meaning } = legend[outcome]
  const those = sheet.report.verdicts.filter((one) => one.outcome === outcome)
  const cards = cardsOf(sheet, those)
  const rest = those.length - cards.length
  return markup`<section class="${outcome}" data-outcome="${outcome}">
<h2><span class="sign" aria-hidden="true">${mark}</span> ${outcome}
<small>${those.length}</small></h2>
<p class="meaning">${meaning}</p>
<ul>${cards}</ul>
${rest > 0 && markup`<p class="meaning">And ${grouped(rest)} more, in results.ndjson.</p>`}
</section>`
}

/** The cards of the first verdicts, as many as there is room for. */
function cardsOf(sheet: Sheet, verdicts: readonly VerdictRecord[]): Markup[] {
  const cards: Markup[] = []
  for (const verdict of verdicts.slice(0, mostShown)) {
    if (sheet.left <= 0) break
    const made = card(sheet, verdict)
    sheet.left -= made.markup.length
    cards.push(made)
  }
  return cards
}

function card({ report, clauses, titles, quotations }: Sheet, verdict: VerdictRecord): Markup {
  const { header, probes } = report
  const { scenario, clause, outcome, documented, derived } = verdict
  const { observed, because, evidence, evidenceLeftOut, ms } = verdict
  const asked = Object.hasOwn(probes, clause) ? probes[clause] : undefined
  const said = (text: string) => shortened(text, most.characters)
  const again = said(repeatCommand(header, scenario))
  const questions =
    asked === undefined ? '' : `, ${grouped(asked)} ${asked === 1 ? 'question' : 'questions'}`
  const { quote, section = '', lines = '' } = clauses.get(clause) ?? {}
  const title = said(titles.get(scenario) ?? '')
  const where = said([section, lines && lineText(lines)].filter(Boolean).join(', '))
  const isUnsettled = ['error', 'inconclusive', 'blocked', 'inapplicable'].includes(outcome)
  const gist = isUnsettled ? because : observed
  return markup`<li><details class="verdict" id="${cardAddress(verdict)}"${
    contradicting.includes(outcome) && markup` open`
  }>
<summary><code>${said(clause)}</code> <span>${oneLine(gist, 200)}</span></summary>
<div class="inside">
<dl>
<dt>${header.command ? 'Objectives' : derived ? 'Advised' : 'Documented'}</dt>
<dd class="said">${said(documented)}</dd>
<dt>Observed</dt><dd class="said">${said(observed)}</dd>
<dt>Because</dt><dd class="said because">${said(because)}</dd>
${quote !== undefined && markup`<dt>Quoted</dt><dd class="said">${withCode(said(quote))}</dd>`}
${where !== '' && markup`<dt>Where</dt><dd>${linked(where, quotations.get(clause))}</dd>`}
<dt>${header.command ? 'URL' : 'Scenario'}</dt>
<dd>${title}${said(scenario)} (${duration(ms)}${questions})</dd>
<dt>Again</dt><dd><code>${again}</code></dd>
</dl>
${evidenceLeftOut ? markup`<p>Its evidence is in results.ndjson.</p>` : evidenceOf(evidence)}
</div>
</details></li>`
}

/** A text as a link to a place on the page, where there is one. */
function linked(text: string, address: string | undefined): Content {
  return address === undefined ? text : markup`<a href="#${address}">${text}</a>`
}

/** Distributions and numbers of the scenarios that measured some. */
function measurements({ histograms, metrics }: Report): Markup | undefined {
  const curvesOf = Map.groupBy(histograms, (one) => one.scenario)
  const numbersOf = Map.groupBy(metrics, (one) => one.scenario)
  const scenarios = [...new Set([...curvesOf.keys(), ...numbersOf.keys()])]
  if (scenarios.length === 0) return undefined
  const more = scenarios.length - most.measured
  return markup`<section>
<h2>Measurements</h2>
${scenarios.slice(0, most.measured).map((scenario) => {
  const curves = (curvesOf.get(scenario) ?? []).slice(0, most.measured)
  const numbers = (numbersOf.get(scenario) ?? []).slice(0, most.measured)
  return markup`<h3><code>${scenario}</code></h3>
${curves.length > 0 && percentileCurve(curves)}
${
  numbers.length > 0 &&
  markup`<dl>${numbers.map(
    ({ name, value, unit }) => markup`<dt>${name}</dt><dd>${grouped(value)} ${unit}</dd>`
  )}</dl>`
}`
})}
${more > 0 && markup`<p>And those of ${grouped(more)} more scenarios, in results.ndjson.</p>`}
</section>`
}
