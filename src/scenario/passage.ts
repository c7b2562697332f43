/** A piece of a document that is read as one: where it stands, and what it says. */
export type Passage = {
  /** A paragraph or an item of a list, a row or the head of a table, a line of an example. */
  kind: 'prose' | 'row' | 'head' | 'example'
  /** Without the marks around it, each stretch of white space as one space. */
  text: string
  /** Where in `text` the lines of the document begin that it is made of; lines count from 1. */
  lines: { at: number; line: number }[]
  /** The heading above it, as the end of an address: `request-sizes`; empty above the first. */
  section: string
}

/** Addresses of headings, as they are given to the headings of a Markdown page. */
export function addresses(): (heading: string) => string {
  const taken = new Map<string, number>()
  return (heading) => {
    const plain = heading.replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    const words = plain.toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    const address = words.replaceAll(' ', '-')
    const count = taken.get(address) ?? 0
    taken.set(address, count + 1)
    return count === 0 ? address : `${address}-${count}`
  }
}

const squeezed = (text: string) => text.trim().replace(/\s+/g, ' ')

/** A row without the bars at its ends. */
const cells = (row: string) => squeezed(row.trim().replace(/^\|/, '').replace(/\|$/, ''))

/** The passages of a text in Markdown, in their order; what is no Markdown is paragraphs. */
export function passages(text: string): Passage[] {
  const found: Passage[] = []
  const addressOf = addresses()
  let section = ''
  let fence: string | undefined
  let open: Passage | undefined

  const begin = (kind: Passage['kind'], content: string, line: number) => {
    open = { kind, text: squeezed(content), lines: [{ at: 0, line }], section }
    if (open.text !== '') found.push(open)
  }
  const goOn = (passage: Passage, content: string, line: number) => {
    passage.lines.push({ at: passage.text.length + 1, line })
    passage.text += ` ${squeezed(content)}`
  }
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    const line = index + 1
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(content) ?? []
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined
      else begin('example', content, line)
      open = undefined
      continue
    }
    const [, heading] = /^#{1,6}\s(.*)$/.exec(content) ?? []
    const [, item] = /^\s*(?:[-*+]|\d+[.)])\s+(.*)$/.exec(content) ?? []
    if (mark !== undefined) fence = mark
    if (heading !== undefined) section = addressOf(squeezed(heading).replace(/ #+$/, ''))
    const isApart = mark !== undefined || heading !== undefined || content.trim() === ''
    if (isApart) open = undefined
    else if (/^\s*\|[\s|:-]+$/.test(content)) headOf(found)
    else if (/^\s*\|/.test(content)) begin('row', cells(content), line)
    else if (item !== undefined) begin('prose', item, line)
    else if (open?.kind === 'prose') goOn(open, content, line)
    else begin('prose', content, line)
  }
  return found
}

/** What stands above the rule of a table is its head. */
function headOf(found: Passage[]): void {
  const last = found.at(-1)
  if (last?.kind === 'row') last.kind = 'head'
}
