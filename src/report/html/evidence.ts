import type { Exchange } from '../../client/reply.ts'
import type { Asked } from '../../limit/boundary.ts'
import { type DriftTerms, judgeDrift } from '../../verdict/judge-drift.ts'
import type { RateTrial } from '../../verdict/rate-trial.ts'
import type { Stretch } from '../../verdict/stretch.ts'
import type { Evidence, Observation } from '../../verdict/verdict.ts'
import { duration, grouped, latency } from '../quantity.ts'
import { driftCurve } from './drift-curve.ts'
import { type Markup, markup } from './markup.ts'
import { numberLine } from './number-line.ts'
import { rateLine } from './rate-line.ts'

/** What a verdict rests on: drawings and answers of a limit, observations of a check. */
export function evidenceOf(evidence: Evidence): Markup | undefined {
  switch (evidence.kind) {
    case 'boundary':
      return markup`${evidence.boundaries.map(({ variant, boundary }) => {
        const name = variant && markup`<figcaption>${variant}</figcaption>`
        const { limit } = evidence
        return markup`<figure>${name}${numberLine({ limit, boundary })}</figure>
${answers(boundary.asked)}`
      })}`
    case 'observations':
      return observations(evidence.attempts)
    case 'capacity':
      return markup`${rateLine(evidence.found, evidence.demand)}
${trials(evidence.found.trials)}`
    case 'soak':
      return curves(evidence.stretches, evidence.terms)
    case 'none':
      return evidence.fault?.frame === undefined
        ? undefined
        : markup`<pre><code>${evidence.fault.frame}</code></pre>`
    case 'load':
      return undefined
  }
}

function answers(asked: readonly Asked[]): Markup {
  return markup`<details class="evidence">
<summary>${plural(asked.length, 'question')} asked</summary>
<div class="scroll"><table>
<thead><tr><th scope="col">value</th><th scope="col">answer</th>
<th scope="col">because</th></tr></thead>
<tbody>${asked.map(
    ({ value, kind, proper, because }) => markup`<tr><td>${grouped(value)}</td>
<td>${proper ? kind : `${kind}, improperly`}</td><td>${because}</td></tr>`
  )}</tbody>
</table></div></details>`
}

function observations(attempts: readonly (readonly Observation[])[]): Markup {
  const all = attempts.flat()
  const exchanges = all.flatMap((one) => one.exchanges)
  const counts = [plural(attempts.length, 'attempt'), plural(exchanges.length, 'exchange')]
  return markup`<details class="evidence"><summary>${counts.join(', ')}</summary>
${attempts.map(
  (attempt, index) => markup`${attempts.length > 1 && markup`<h4>Attempt ${index + 1}</h4>`}
${attempt.map(observation)}`
)}</details>`
}

function observation({ holds, answered, observed, exchanges }: Observation): Markup {
  const judged = holds === undefined ? 'seen' : holds ? 'holds' : 'does not hold'
  return markup`<div class="observation">
<p><b>${answered ? judged : 'not answered'}</b> ${observed}</p>
${exchanges.map(exchange)}</div>`
}

/** When an answer began, or a connection ended. */
const moments: Record<Exchange['phase'], string> = {
  connect: 'before there was a connection',
  headers: 'after the headers',
  body: 'within the body',
  end: 'after the whole request'
}

function exchange({ request, because, phase, sent, excerpt }: Exchange): Markup {
  const { method, url, bodyBytes } = request
  const body = bodyBytes > 0 && ` (${grouped(sent)} of ${grouped(bodyBytes)} bytes sent)`
  return markup`<details class="exchange">
<summary><code>${method} ${url}</code> <span>${because} ${moments[phase]}${body}</span></summary>
${excerpt === '' ? markup`<p>No body.</p>` : markup`<pre tabindex="0">${excerpt}</pre>`}</details>`
}

/** Every rate that was tried, in the order in which it was. */
function trials(tried: readonly RateTrial[]): Markup {
  return markup`<details class="evidence">
<summary>${plural(tried.length, 'trial')}</summary>
<div class="scroll"><table>
<thead><tr><th scope="col">for</th><th scope="col">rate</th><th scope="col">time</th>
<th scope="col">outcome</th><th scope="col">p99</th><th scope="col">because</th></tr></thead>
<tbody>${tried.map(
    ({ purpose, rate, seconds, outcome, p99Us, because }) => markup`<tr><td>${purpose}</td>
<td>${grouped(Number(rate.toPrecision(4)))}/s</td><td>${duration(seconds * 1_000)}</td>
<td>${outcome}</td><td>${p99Us === null ? '–' : latency(p99Us)}</td><td>${because}</td></tr>`
  )}</tbody>
</table></div></details>`
}

/** Every metric that was followed through a soak. */
function curves(stretches: readonly Stretch[], terms: DriftTerms): Markup {
  const { metrics } = judgeDrift(stretches, terms)
  return markup`${Object.entries(metrics).map(([name, drift]) =>
    driftCurve(name, drift, stretches)
  )}`
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
