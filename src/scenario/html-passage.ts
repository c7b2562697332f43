import { addresses, type Passage } from './passage.ts'

/**
 * A comment, what is none of the text, a tag, or text. Attributes are bounded, and end where
 * another tag begins, so that a file of tags that never end is read once and not once for each.
 */
const pieces = new RegExp(
  [
    '<!--[\\s\\S]*?(?:-->|$)',
    '<(script|style|template|noscript|svg|math|title)\\b[^>]*>[\\s\\S]*?(?:</\\1\\s*>|$)',
    '<(/?)([a-z][a-z0-9-]*)((?:"[^"]{0,2000}"|\'[^\']{0,2000}\'|[^\'"<>]){0,2000})>',
    '[^<]+|<'
  ].join('|'),
  'gi'
)

/** Elements that begin and end a passage; what is in others is part of the sentence around it. */
const blocks = new Set(
  (
    'address article aside blockquote body caption dd details div dl dt fieldset figcaption ' +
    'figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary ' +
    'table tbody tfoot thead tr ul'
  ).split(' ')
)

const entities: Record<string, string> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', copy: '©', deg: '°' },
  ...{ mdash: '—', ndash: '–', hellip: '…', times: '×', le: '≤', ge: '≥', micro: 'µ', minus: '−' },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»', bull: '•' }
}

/** A text with what its entities stand for; an entity that nobody knows stays as it is. */
function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, ...found) => {
    const [decimal, hexadecimal, name] = found as (string | undefined)[]
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal!, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/**
 * What is being read: the text so far, where its lines begin, and whether it ends in a space, or is
 * not begun. To look at the end of a long text each time would be to copy it each time.
 */
type Open = { text: string; lines: Passage['lines']; row: boolean; data: boolean; spaced: boolean }

const opened = (row = false): Open => ({ text: '', lines: [], row, data: false, spaced: true })

/** Adds a text that begins on a line; each stretch of white space is one space. */
function add(open: Open, text: string, from: number): void {
  for (const [index, part] of text.split('\n').entries()) {
    const squeezed = decoded(index > 0 ? ` ${part}` : part).replace(/\s+/g, ' ')
    const more = open.spaced ? squeezed.trimStart() : squeezed
    if (more === '') continue
    const at = open.text.length + (more.startsWith(' ') ? 1 : 0)
    if (more.trim() !== '') open.lines.push({ at, line: from + index })
    open.text += more
    open.spaced = more.endsWith(' ')
  }
}

const breaks = (text: string) => text.split('\n').length - 1

/**
 * The passages of a page in HTML, in their order, as those of a text in Markdown: paragraphs and
 * items, rows of tables with bars between their cells, lines of examples. Lines are those of the
 * file. Headings are none; the section is the `id` of the one above, else its address.
 */
export function htmlPassages(html: string): Passage[] {
  const found: Passage[] = []
  const addressOf = addresses()
  let [section, line, isExample] = ['', 1, false]
  let heading: { id?: string } | undefined
  let open = opened()

  const end = () => {
    const text = open.text.trim()
    if (text !== '' && heading !== undefined) section = heading.id ?? addressOf(text)
    else if (text !== '') {
      const kind = open.row ? (open.data ? 'row' : 'head') : isExample ? 'example' : 'prose'
      found.push({ kind, text, lines: open.lines, section })
    }
    open = opened()
  }
  const tag = (name: string, isEnd: boolean, attributes: string) => {
    if (open.row && /^(td|th)$/.test(name)) {
      if (!isEnd && open.lines.length > 0) {
        open.text = `${open.text.trimEnd()} | `
        open.spaced = true
      }
      if (name === 'td') open.data = true
      return
    }
    if (!blocks.has(name) || (open.row && !/^(tr|thead|tbody|tfoot|table)$/.test(name))) {
      if (name === 'br' || blocks.has(name)) add(open, ' ', line)
      return
    }
    end()
    if (name === 'tr') open = opened(!isEnd)
    if (name === 'pre') isExample = !isEnd
    if (/^h[1-6]$/.test(name)) heading = isEnd ? undefined : headingOf(attributes)
  }
  for (const [piece, , slash, name, attributes = ''] of html.matchAll(pieces)) {
    if (name !== undefined) tag(name.toLowerCase(), slash === '/', attributes)
    else if (!/^<(?:!--|[a-z])/i.test(piece)) {
      for (const [index, part] of (isExample ? piece.split('\n') : [piece]).entries()) {
        if (index > 0) end()
        add(open, part, line + index)
      }
    }
    line += breaks(piece)
  }
  end()
  return found
}

function headingOf(attributes: string): { id?: string } {
  const [, id] = /(?:^|\s)id\s*=\s*["']?([^"'\s>]{1,200})/i.exec(attributes) ?? []
  return { ...(id !== undefined && { id }) }
}
