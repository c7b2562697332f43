import type { Outcome } from '../verdict/outcome.ts'
import { coverageSentence, openSentence, tally } from './coverage.ts'
import { cardsOf, type Sheet, sheetOf } from './html/cards.ts'
import { coverageBar, type OutcomeShare, sharesOf, sharesText } from './html/coverage-bar.ts'
import { filter } from './html/filter.ts'
import { imprint } from './html/imprint.ts'
import { type Markup, markup } from './html/markup.ts'
import { measurements } from './html/measurements.ts'
import { packed } from './html/packed.ts'
import { logo, page } from './html/page.ts'
import { quotedDocument } from './html/quoted.ts'
import { untestedSection } from './html/untested-section.ts'
import { legend, lostText, runHeadline, subjectsText, tagsText } from './legend.ts'
import { oneLine } from './printable.ts'
import { duration, grouped } from './quantity.ts'
import type { Report, VerdictRecord } from './record.ts'
import { type SubjectStanding, standingOrder, standingsOf } from './standing.ts'
import { mostShown } from './thinning.ts'
import { untestedOf } from './untested.ts'

/** Outcomes that nobody has to look at first: their sections are closed where they are long. */
const quiet: readonly Outcome[] = ['untested', 'pass', 'inapplicable', 'observed']

/** Cards of a section that is open although it is quiet. */
const fewCards = 12

/** A run as one HTML file that needs nothing else; its only script searches and unpacks. */
export function html(report: Report): string {
  const { header } = report
  const { text } = runHeadline(report)
  const standings = standingsOf(report.verdicts, report.plan)
  const untested = untestedOf(report)
  const shares = clauseShares(report, standings)
  const sheet = sheetOf(report)
  // What a command concluded is what its page is about, however well it is.
  const isOne = header.command !== undefined
  const sections = (wanted: boolean) =>
    standingOrder
      .filter((outcome) => quiet.includes(outcome) === wanted)
      .map((outcome) => {
        const those = standings.filter((one) => one.outcome === outcome)
        const isUnasked = outcome === 'untested' && untested.length > 0
        if (isUnasked) return untestedSection(untested, sheet.quotations)
        return section(sheet, outcome, those)
      })
  return page({
    title: `${text} · ${header.target.name} · Plimsoll`,
    script: filter,
    body: markup`<a class="skip" href="#verdicts">Skip to the verdicts</a>
${masthead(report, shares)}
${controls(report, standings, untested.length)}
<main id="verdicts">
${sections(false)}
${isOne && sections(true)}
${measurements(report)}
${quotedDocument(report)}
${!isOne && sections(true)}
</main>
${imprint(report)}
${packed(sheet.insides)}`
  })
}

/** How many clauses of the document stand where; those that no line tells of are untested. */
function clauseShares(
  { header }: Report,
  standings: readonly SubjectStanding<unknown>[]
): OutcomeShare[] {
  const outcomes = standings.filter(({ isOwn }) => !isOwn).map(({ outcome }) => outcome)
  return sharesOf(outcomes, Math.max(0, header.document.clauses - outcomes.length))
}

/** A name beyond it says no more at the head of a page; the whole is in the records. */
const longestName = 200

/** A headline that is longer than this is one up to its first stop. */
const longestHead = 80

/** A headline, and what is said after it: nothing where the headline is short. */
function headAndRest(text: string): [head: string, rest: string] {
  const stop = text.length > longestHead ? text.search(/[.:;] /) : -1
  return stop < 0 ? [text, ''] : [text.slice(0, stop), text.slice(stop + 2)]
}

function masthead(report: Report, shares: readonly OutcomeShare[]): Markup {
  const { header, footer } = report
  const { coverage } = tally(report)
  const { outcome, text } = runHeadline(report)
  const open = openSentence(header.document)
  const [head, rest] = headAndRest(text)
  const when = header.startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')
  const took = footer && `, in ${duration(footer.ms)}`
  return markup`<header>
<p class="brand">${logo} Plimsoll <span>${header.command?.[0] ?? ''} on ${oneLine(
    header.target.name,
    longestName
  )}</span></p>
<h1 class="${outcome}">${head}</h1>
${rest !== '' && markup`<p class="told">${rest}</p>`}
<p class="lead">${when}${took}${header.tags && ` · ${tagsText(header.tags)}`}</p>
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
${coverageBar(shares, 16)}
<figcaption>Clauses: ${sharesText(shares)}<br>
${coverageSentence(coverage)}${open && `; ${open}`}</figcaption>
</figure>`
}
</header>`
}

function controls(
  { header }: Report,
  standings: readonly SubjectStanding<VerdictRecord>[],
  untested: number
): Markup {
  const counted = standingOrder.map((outcome): OutcomeShare => {
    const judged = standings.filter((one) => one.outcome === outcome).length
    return { outcome, count: outcome === 'untested' ? judged + untested : judged }
  })
  const pills = counted
    .filter(({ count }) => count > 0)
    .map(
      ({ outcome, count }) => markup`<label class="pill ${outcome}">
<input type="checkbox" id="show-${outcome}" checked>
<span aria-hidden="true">${legend[outcome].mark}</span> ${outcome} <b>${count}</b></label>`
    )
  return markup`<form class="controls" role="search" autocomplete="off"${
    header.command !== undefined && standings.length <= fewCards && markup` hidden`
  }>
<fieldset><legend>Outcomes to show</legend>${pills}</fieldset>
<div class="search" hidden><input type="search" aria-label="Search the verdicts"
placeholder="Search clauses, scenarios, answers"><output aria-live="polite"></output></div>
</form>`
}

function section(
  sheet: Sheet,
  outcome: Outcome,
  those: readonly SubjectStanding<VerdictRecord>[]
): Markup | undefined {
  if (those.length === 0) return undefined
  const { mark, meaning } = legend[outcome]
  const shown = those
    .slice(0, mostShown)
    .flatMap(({ verdicts }) => cardsOf(sheet, verdicts) ?? [])
    .map((cards) => markup`<li>${cards}</li>`)
  const rest = those.length - shown.length
  const isOpen = !quiet.includes(outcome) || those.length <= fewCards
  return markup`<section class="${outcome}" data-outcome="${outcome}">
<details class="group"${isOpen && markup` open`}>
<summary><h2><span class="sign" aria-hidden="true">${mark}</span> <b>${outcome}</b>
<small>${sheet.report.header.command ? those.length : subjectsText(those)}</small></h2></summary>
${sheet.report.header.command === undefined && markup`<p class="meaning">${meaning}</p>`}
<ul>${shown}</ul>
${rest > 0 && markup`<p class="meaning">And ${grouped(rest)} more, in results.ndjson.</p>`}
</details>
</section>`
}
