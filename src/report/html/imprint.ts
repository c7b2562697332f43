import { tagsText } from '../legend.ts'
import type { Report } from '../record.ts'
import { type Markup, markup } from './markup.ts'

/** What a page ends with: by what, against what and where its run was made. */
export function imprint({ header }: Report): Markup {
  const { tool, seed, host, document, target, expectations, agents, tags = {} } = header
  return markup`<footer><dl>
<dt>Target</dt><dd>${target.name}${Object.entries(target.endpoints).map(
    ([name, url]) => markup`<br>${name} <code>${url}</code>`
  )}</dd>
${
  document.sha256 !== '' &&
  markup`<dt>Document</dt>
<dd>${document.clauses} clauses, SHA-256 <code>${document.sha256}</code>${
    document.source &&
    markup`<br>quoting ${document.source.file}, SHA-256 <code>${document.source.sha256}</code>`
  }</dd>`
}${
  expectations &&
  markup`
<dt>Held against</dt>
<dd>${expectations.file}, SHA-256 <code>${expectations.sha256}</code></dd>`
}
<dt>Host</dt><dd>${host.cpu}, ${host.cores} cores, Node ${host.node}</dd>${
    agents &&
    markup`
<dt>Loads sent from</dt><dd>${agents.map(({ id }) => id).join(', ')}</dd>`
  }
${
  Object.keys(tags).length > 0 &&
  markup`<dt>Tags</dt>
<dd>${tagsText(tags)}</dd>`
}
<dt>Seed</dt><dd><code>${seed}</code></dd>
<dt>Made by</dt><dd>${tool}</dd>
</dl></footer>`
}
