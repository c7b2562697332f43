import { percent } from '../number.ts'
import type { DriftConclusion } from '../verdict/judge-drift.ts'
import { driftCurve } from './html/drift-curve.ts'
import { type Markup, markup } from './html/markup.ts'
import { logo, page } from './html/page.ts'
import { lostText } from './legend.ts'
import { duration, grouped } from './quantity.ts'
import type { SoakHeader, SoakReport } from './soak-record.ts'

/** The outcome whose colour a verdict is shown in. */
const tones: Record<DriftConclusion['verdict'], string> = {
  drift: 'fail',
  stable: 'pass',
  inconclusive: 'inconclusive'
}

function loadText({ connections, rate, engine }: SoakHeader['load']): string {
  const pace = rate === undefined ? 'as fast as it answers' : `${grouped(rate)} requests a second`
  return `${pace} over ${connections} connections, by ${engine}`
}

function masthead({ header, conclusion, lost }: SoakReport): Markup {
  const { verdict, because, seconds, furtherSeconds, voidShare } = conclusion
  const when = header.startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')
  return markup`<header>
<p class="brand">${logo} Plimsoll <span>soaks ${header.url}</span></p>
<h1 class="${tones[verdict]}">${verdict}</h1>
<p class="lead">${because}</p>
<p class="lead">${when}, ${duration(seconds * 1_000)} under load</p>
${
  furtherSeconds > 0 &&
  markup`<p class="notice inconclusive" role="note">To tell, it would take about
${duration(furtherSeconds * 1_000)} more: <code>plimsoll soak --resume</code></p>`
}
${
  voidShare > 0 &&
  markup`<p class="notice error" role="note">The generator was at fault in ${percent(voidShare, 2)}
of the time; what was answered then is left out.</p>`
}
${lost !== undefined && markup`<p class="notice inconclusive" role="note">${lostText(lost)}</p>`}
</header>`
}

function imprint({ header }: SoakReport): Markup {
  const { load, host, terms, tool, agents } = header
  return markup`<footer><dl>
<dt>Load</dt><dd>${loadText(load)}</dd>
<dt>Budget</dt><dd>${percent(terms.budget, 2)} an hour</dd>
<dt>Host</dt><dd>${host.cpu}, ${host.cores} cores, Node ${host.node}</dd>
<dt>Sent from</dt><dd>${agents ? agents.map(({ id }) => id).join(', ') : 'this host'}</dd>
<dt>Seed</dt><dd><code>${terms.seed}</code></dd>
<dt>Made by</dt><dd>${tool}</dd>
</dl></footer>`
}

/** A soak as one HTML file: the verdict, and a curve for everything that was followed. */
export function soakHtml(report: SoakReport): string {
  const { header, stretches, conclusion } = report
  const { verdict, metrics } = conclusion
  return page({
    title: `${verdict} · ${header.url} · Plimsoll`,
    body: markup`${masthead(report)}
<main>${Object.entries(metrics).map(([name, drift]) => driftCurve(name, drift, stretches))}</main>
${imprint(report)}`
  })
}
