import { type Clause, type Inventory, isUnspecified } from './clause.ts'
import { htmlPassages } from './html-passage.ts'
import { type Passage, passages } from './passage.ts'

/** A document that clauses quote, as text. */
export type Quoted = { name: string; passages: readonly Passage[] }

/** Where a quotation stands in a document. */
export type QuotedPlace = { section: string; lines: string }

/** What is wrong with the quotation of a clause, in words for people. */
export type QuotationFault = { clause: string; because: string }

/** A document to quote from, in Markdown or HTML; `name` is what messages call it. */
export function quotable(text: string, name: string): Quoted {
  const isPage = /\.html?$/i.test(name) || /^\s*<(?:!doctype html|html)\b/i.test(text)
  return { name, passages: isPage ? htmlPassages(text) : passages(text) }
}

const squeezed = (text: string) => text.trim().replace(/\s+/g, ' ')

/** The line that a place in a passage is on. */
function lineAt({ lines }: Passage, at: number): number {
  return lines.findLast((one) => one.at <= at)!.line
}

/** Every place where a document says just this; white space counts as one space. */
export function placesOf(quotation: string, { passages }: Quoted): QuotedPlace[] {
  const wanted = squeezed(quotation)
  return passages.flatMap((passage): QuotedPlace[] => {
    const at = wanted === '' ? -1 : passage.text.indexOf(wanted)
    if (at < 0) return []
    const [from, to] = [lineAt(passage, at), lineAt(passage, at + wanted.length - 1)]
    return [{ section: passage.section, lines: from === to ? `${from}` : `${from}-${to}` }]
  })
}

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])

/** Faults that are told with the passage they may mean; to look for it takes time. */
const mostHints = 20

/** The passage most like a quotation that is in none: with at least half of its words. */
function mostLike(quotation: string, { passages }: Quoted): Passage | undefined {
  const words = wordsOf(quotation)
  let best: Passage | undefined
  let most = words.size / 2
  for (const passage of passages) {
    const shared = [...wordsOf(passage.text)].filter((word) => words.has(word)).length
    if (shared <= most) continue
    most = shared
    best = passage
  }
  return best
}

/** Why a quotation cannot be found in a document, or not surely; undefined when it can. */
function unfound(quote: string, places: readonly QuotedPlace[], name: string): string | undefined {
  if (places.length === 1) return undefined
  if (places.length === 0) return `quotes "${quote}", which ${name} does not say`
  const lines = places.map((place) => place.lines).join(', ')
  return `quotes "${quote}", which ${name} says more than once, in lines ${lines}: quote more`
}

/** The end of a message about words that a document does not say: those it may have meant. */
function orMostLike(quote: string, document: Quoted): string {
  const like = mostLike(quote, document)
  return like ? `; nearest, in line ${like.lines[0]!.line}: "${like.text}"` : ''
}

/**
 * The clauses with the section and the lines where the document says what they quote, whatever is
 * written down of that, and what is wrong with the others. Clauses without a quotation are as they
 * were.
 */
export function placed(
  inventory: Inventory,
  document: Quoted
): { inventory: Inventory; faults: QuotationFault[] } {
  const faults: QuotationFault[] = []
  const all = new Map<string, Clause>()
  for (const [id, clause] of inventory) {
    const { quote } = clause
    const places = quote === undefined ? [] : placesOf(quote, document)
    const because = quote === undefined ? undefined : unfound(quote, places, document.name)
    if (because !== undefined) {
      const isLost = places.length === 0 && faults.length < mostHints
      faults.push({ clause: id, because: because + (isLost ? orMostLike(quote!, document) : '') })
    }
    all.set(id, { ...clause, ...(places.length === 1 && places[0]) })
  }
  return { inventory: all, faults }
}

/** Numbers that documents write as words, by their value. */
const inWords = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** Every number in a text, without separators of thousands: `1,000` and `six` are 1000 and 6. */
export function numbersIn(text: string): number[] {
  const digits = text.match(/\d+(?:,\d{3})*(?:\.\d+)?/g) ?? []
  const words = text.toLowerCase().match(/[a-z]+/g) ?? []
  return [
    ...digits.map((one) => Number(one.replaceAll(',', ''))),
    ...words.map((word) => inWords.indexOf(word)).filter((value) => value >= 0)
  ]
}

/** What is wrong with a clause as it is written down, beside what `placed` finds. */
function slip(written: Clause, found: Clause): string | undefined {
  const { kind, documented, quote } = written
  if (quote === undefined) return undefined
  const quoted = numbersIn(quote)
  const lost = numbersIn(documented).find((number) => !quoted.includes(number))
  if (kind === 'limit' && lost !== undefined) return `says ${lost}, but quotes "${quote}"`
  const [is, was] = [found, written].map(({ section, lines }) => `${section}:${lines}`)
  return is === was ? undefined : `stands at ${is}, and clauses.json says ${was}`
}

/** All that is wrong with what clauses quote of a document, in the order of the clauses. */
export function quotationFaults(inventory: Inventory, document: Quoted): QuotationFault[] {
  const { inventory: found, faults } = placed(inventory, document)
  const lost = new Map(faults.map((one) => [one.clause, one]))
  return [...inventory.values()].flatMap((clause): QuotationFault[] => {
    const fault = lost.get(clause.id)
    if (fault !== undefined) return [fault]
    const because = slip(clause, found.get(clause.id)!)
    return because === undefined ? [] : [{ clause: clause.id, because }]
  })
}

/** How many clauses are of the document, how many it leaves open, and how many quote it. */
export function shares(inventory: Inventory): { stated: number; open: number; quoted: number } {
  const all = [...inventory.values()]
  const open = all.filter(isUnspecified).length
  const quoted = all.filter(({ quote }) => quote !== undefined).length
  return { stated: all.length - open, open, quoted }
}
