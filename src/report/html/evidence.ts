import type { Exchange } from '../../client/reply.ts'
import type { AskedValue } from '../../limit/boundary.ts'
import type { LoadSummary } from '../../load/figures/summary.ts'
import type { CommandFound } from '../../verdict/command-found.ts'
import { type DriftTerms, judgeDrift } from '../../verdict/judge-drift.ts'
import type { RateTrial } from '../../verdict/rate-trial.ts'
import type { Stretch } from '../../verdict/stretch.ts'
import type { Evidence, Observation } from '../../verdict/verdict.ts'
import { curlCommand } from '../curl-command.ts'
import { loadFacts } from '../load-table.ts'
import { oneLine, shortened } from '../printable.ts'
import { duration, grouped, latency } from '../quantity.ts'
import { commandPart, factList } from './command-part.ts'
import { driftCurve, driftKeys } from './drift-curve.ts'
import { type Markup, markup } from './markup.ts'
import { numberLine } from './number-line.ts'
import { rateLine } from './rate-line.ts'

/** Answers, exchanges or trials of one verdict that are shown, and characters of one of them. */
const most = { shown: 100, characters: 4_000 }

/** Characters of an answer that contradicts nothing: enough to see what was said. */
const mostOfUsual = 500

/** How many of a list are not shown, where there are more than are. */
function rest(all: number, noun: string): Markup | false {
  const more = all - most.shown
  return more > 0 && markup`<p>And ${plural(more, `more ${noun}`)}, in results.ndjson.</p>`
}

/**
 * What a verdict rests on: drawings and answers of a limit, observations of a check. Unless it is
 * to be whole, answers are cut to their beginning.
 */
export function evidenceOf(evidence: Evidence, isWhole = true): Markup | undefined {
  switch (evidence.kind) {
    case 'boundary':
      return markup`${evidence.boundaries.slice(0, most.shown).map(({ variant, boundary }) => {
        const name = variant && markup`<figcaption>${variant}</figcaption>`
        const { limit } = evidence
        return markup`<figure>${name}${numberLine({ limit, boundary })}</figure>
${answers(boundary.asked)}`
      })}`
    case 'observations':
      return observations(evidence.attempts, isWhole ? most.characters : mostOfUsual)
    case 'capacity':
      return markup`${rateLine(evidence.found, evidence.demand)}
${trials(evidence.found.trials)}`
    case 'soak':
      return curves(evidence.stretches, evidence.terms)
    case 'command':
      return ofCommand(evidence.found)
    case 'none':
      return evidence.fault?.frame === undefined
        ? undefined
        : markup`<pre><code>${shortened(evidence.fault.frame, most.characters)}</code></pre>`
    case 'load':
      return factList([...statusFacts(evidence.summary), ...loadFacts(evidence.summary)])
  }
}

/** How often each status was answered, as one thing to say. */
function statusFacts({ statuses }: LoadSummary): [string, string][] {
  const told = Object.entries(statuses).slice(0, most.shown)
  const counts = told.map(([status, many]) => `${grouped(many)} × ${status}`)
  return counts.length === 0 ? [] : [['statuses', counts.join(', ')]]
}

/** What a command found, and below it every trial and question. */
function ofCommand(found: CommandFound): Markup {
  const tried = found.of === 'capacity' ? found.capacity?.trials : undefined
  const boundaries = found.of === 'limit' ? (found.boundaries ?? []) : []
  return markup`${commandPart(found)}${tried && trials(tried)}${boundaries
    .slice(0, most.shown)
    .map(({ boundary }) => boundary.asked.length > 0 && answers(boundary.asked))}`
}

function answers(asked: readonly AskedValue[]): Markup {
  return markup`<details class="evidence">
<summary>${plural(asked.length, 'question')} asked</summary>
<div class="scroll" tabindex="0" role="group" aria-label="table"><table>
<thead><tr><th scope="col">value</th><th scope="col">answer</th>
<th scope="col">because</th></tr></thead>
<tbody>${asked.slice(0, most.shown).map(({ value, kind, proper, because }) => {
    const answer = proper ? kind : `${kind}, improperly`
    const why = shortened(because, most.characters)
    return markup`<tr><td>${grouped(value)}</td>
<td>${answer}</td><td>${why}</td></tr>`
  })}</tbody>
</table></div>${rest(asked.length, 'question')}</details>`
}

function observations(attempts: readonly (readonly Observation[])[], characters: number): Markup {
  const all = attempts.flat()
  const exchanges = all.reduce((sum, one) => sum + one.exchanges.length, 0)
  const counts = [plural(attempts.length, 'attempt'), plural(exchanges, 'exchange')]
  const shown = allotted(attempts)
  return markup`<details class="evidence"><summary>${counts.join(', ')}</summary>
${shown.map(
  (attempt, index) => markup`${attempts.length > 1 && markup`<h3>Attempt ${index + 1}</h3>`}
${attempt.map((one) => observation(one, characters))}`
)}${rest(all.length + exchanges, 'observation or exchange')}</details>`
}

/** Of all attempts the first observations and exchanges, as many as are shown of one verdict. */
function allotted(attempts: readonly (readonly Observation[])[]): Observation[][] {
  let room = most.shown
  return attempts.slice(0, most.shown).map((attempt) =>
    attempt.slice(0, room).flatMap((one) => {
      if (room <= 0) return []
      const exchanges = one.exchanges.slice(0, --room)
      room -= exchanges.length
      return [{ ...one, exchanges }]
    })
  )
}

function observation(
  { holds, answered, observed, exchanges }: Observation,
  characters: number
): Markup {
  const judged = holds === undefined ? 'seen' : holds ? 'holds' : 'does not hold'
  const said = shortened(observed, most.characters)
  return markup`<div class="observation">
<p><b>${answered ? judged : 'not answered'}</b> ${said}</p>
${exchanges.map((one) => exchange(one, characters))}</div>`
}

/** When an answer began, or a connection ended. */
const moments: Record<Exchange['phase'], string> = {
  connect: 'before there was a connection',
  headers: 'after the headers',
  body: 'within the body',
  end: 'after the whole request'
}

function exchange(told: Exchange, characters: number): Markup {
  const { request, because, phase, sent, excerpt } = told
  const { method, url, bodyBytes } = request
  const said = shortened(excerpt, characters)
  const body = bodyBytes > 0 && ` (${grouped(sent)} of ${grouped(bodyBytes)} bytes sent)`
  const curl = curlCommand(told)
  return markup`<details class="exchange">
<summary><code>${oneLine(`${method} ${url}`, most.characters)}</code>
<span>${oneLine(because, most.characters)} ${moments[phase]}${body}</span></summary>
${curl !== undefined && markup`<p><code class="command">${curl}</code></p>`}
${excerpt === '' ? markup`<p>No body.</p>` : markup`<pre tabindex="0">${said}</pre>`}</details>`
}

/** Every rate that was tried, in the order in which it was. */
function trials(tried: readonly RateTrial[]): Markup {
  return markup`<details class="evidence">
<summary>${plural(tried.length, 'trial')}</summary>
<div class="scroll" tabindex="0" role="group" aria-label="table"><table>
<thead><tr><th scope="col">for</th><th scope="col">rate</th><th scope="col">time</th>
<th scope="col">outcome</th><th scope="col">p99</th><th scope="col">because</th></tr></thead>
<tbody>${tried.slice(0, most.shown).map(
    ({ purpose, rate, seconds, outcome, p99Us, because }) => markup`<tr><td>${purpose}</td>
<td>${grouped(Number(rate.toPrecision(4)))}/s</td><td>${duration(seconds * 1_000)}</td>
<td>${outcome}</td><td>${p99Us === null ? '–' : latency(p99Us)}</td>
<td>${shortened(because, most.characters)}</td></tr>`
  )}</tbody>
</table></div>${rest(tried.length, 'trial')}</details>`
}

/** Every metric that was followed through a soak. */
function curves(stretches: readonly Stretch[], terms: DriftTerms): Markup {
  const { metrics } = judgeDrift(stretches, terms)
  return markup`${driftKeys}${Object.entries(metrics)
    .slice(0, most.shown)
    .map(([name, drift]) => driftCurve(name, drift, stretches))}`
}

function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`
}
