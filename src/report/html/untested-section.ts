import { legend } from '../legend.ts'
import { shortened } from '../printable.ts'
import { grouped } from '../quantity.ts'
import { mostShown } from '../thinning.ts'
import type { Untested } from '../untested.ts'
import { type Markup, markup } from './markup.ts'

/** Characters of one text. */
const most = 4_000

/** The clauses that nobody asked about, by why, each with the command that would. */
export function untestedSection(
  untested: readonly Untested[],
  quotations: ReadonlyMap<string, string>
): Markup {
  const { mark, meaning } = legend.untested
  const shown = untested.slice(0, mostShown)
  const rest = untested.length - shown.length
  const groups = [...Map.groupBy(shown, ({ because }) => because)]
  const name = (id: string) => {
    const address = quotations.get(id)
    const code = markup`<code>${shortened(id, most)}</code>`
    return address === undefined ? code : markup`<a href="#${address}">${code}</a>`
  }
  return markup`<section class="untested" data-outcome="untested">
<details class="group">
<summary><h2><span class="sign" aria-hidden="true">${mark}</span> <b>untested</b>
<small>${untested.length} ${untested.length === 1 ? 'clause' : 'clauses'}</small></h2></summary>
<p class="meaning">${meaning}</p>
<ul>${groups.map(
    ([
      because,
      those
    ]) => markup`<li class="unasked" data-count="${those.length}"><p>${shortened(because, most)}</p>
${
  those[0]!.command !== undefined &&
  markup`<p><code class="command">${shortened(those[0]!.command, most)}</code></p>`
}
<p class="names">${those.map(({ clause }) => markup`${name(clause.id)} `)}</p></li>`
  )}</ul>
${rest > 0 && markup`<p class="meaning">And ${grouped(rest)} more, in results.ndjson.</p>`}
</details>
</section>`
}
