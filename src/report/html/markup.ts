import { printable } from '../printable.ts'

/** Finished HTML, which is the only thing that gets into HTML without being escaped. */
export type Markup = { readonly markup: string }

/** What may stand in a template: text is escaped, `undefined` and `false` leave nothing behind. */
export type Content = string | number | Markup | readonly Content[] | undefined | false

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

/** A template tag: the literal parts are HTML, whatever is put between them is content. */
export function markup(parts: TemplateStringsArray, ...contents: Content[]): Markup {
  return { markup: String.raw({ raw: parts }, ...contents.map(render)) }
}

/** Text that is HTML already: a stylesheet or a script of ours. */
export function verbatim(text: string): Markup {
  return { markup: text }
}

function render(content: Content): string {
  if (content === undefined || content === false) return ''
  if (typeof content === 'string') return escaped(content)
  if (typeof content === 'number') return `${content}`
  return 'markup' in content ? content.markup : content.map(render).join('')
}

function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, (found) => entities[found]!)
}
