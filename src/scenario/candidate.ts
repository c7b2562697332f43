import type { Inventory } from './clause.ts'
import type { Passage } from './passage.ts'
import type { Quoted } from './quotation.ts'

/** A sentence of a document that may state something which can be checked. */
export type Candidate = { section: string; line: number; quote: string }

/** A number with what it counts: 16 KB, 1,000 requests, 99.9 %. */
const measured = /(?<![\w.,-])\d[\d,]*(?:\.\d+)?\s?(?:%|[\p{L}µ]{1,})/u
/** What something has to be, may be, or is one of. */
const demanding = new RegExp(
  `\\b(?:${[
    ...['must', 'shall', 'should', 'may', 'can', 'cannot', 'needs?', 'required', 'optional'],
    ...['never', 'always', 'only', 'at most', 'at least', 'up to', 'no more than', 'one of'],
    ...['none', 'unlimited', 'limited', 'limits?', 'maximum', 'minimum', 'default'],
    ...['rejected', 'refused']
  ].join('|')})\\b`,
  'i'
)

/** The sentences of a passage and where each begins; a row of a table is one. */
function sentences({ kind, text }: Passage): { at: number; text: string }[] {
  if (kind === 'head' || kind === 'example') return []
  if (kind === 'row') return [{ at: 0, text }]
  const ends = [...text.matchAll(/[.!?](?=\s+[\p{Lu}`"'“(])/gu)].map(({ index }) => index + 1)
  const starts = [0, ...ends.map((end) => end + 1)]
  return starts.map((at, index) => ({ at, text: text.slice(at, ends[index] ?? text.length) }))
}

/**
 * The sentences and rows of a document that carry a number with a unit, a modal verb or a choice,
 * in its order.
 */
export function candidates({ passages }: Quoted): Candidate[] {
  return passages.flatMap((passage) =>
    sentences(passage)
      .filter(({ text }) => measured.test(text) || demanding.test(text))
      .map(({ at, text }) => {
        const { line } = passage.lines.findLast((one) => one.at <= at)!
        return { section: passage.section, line, quote: text }
      })
  )
}

/** Those of a document's candidates that no clause quotes, not even in part. */
export function unquoted(inventory: Inventory, document: Quoted): Candidate[] {
  const quotes = [...inventory.values()].flatMap(({ quote }) => quote ?? [])
  const isQuoted = (text: string) =>
    quotes.some((quote) => text.includes(quote) || quote.includes(text))
  return candidates(document).filter(({ quote }) => !isQuoted(quote))
}
