import { numberIn } from '../limit/limit.ts'
import type { Candidate } from './candidate.ts'
import type { Clause } from './clause.ts'
import { freeId, slug } from './clause-id.ts'

/** A clause that was made of a candidate: what a person goes on to edit. */
export type TakenClause = Pick<Clause, 'id' | 'kind' | 'documented' | 'section' | 'lines'> & {
  quote: string
}

/** A number and the word after it: 16 KB, 1,000 requests/minute. */
const measure = /(?<![\w.,-])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?: ?(%|[\p{L}µ][\p{L}/]*))?/u

/** Words that say nothing of what a sentence is about. */
const dull = new Set(
  (
    'a an and any are as at be been by can cannot each every for from has have if in is it its ' +
    'least may more most must no not of on only or shall should than that the their them there ' +
    'they this to up was when which will with'
  ).split(' ')
)

/** What a sentence is about, in three words at most. */
function subjectOf(quote: string): string {
  const words = quote.toLowerCase().match(/[a-z][a-z0-9]*/g) ?? []
  return words
    .filter((word) => !dull.has(word))
    .slice(0, 3)
    .join('-')
}

/** An id that nothing has yet: of the section, and of what the sentence is about. */
function idOf({ section, quote }: Candidate, isTaken: (id: string) => boolean): string {
  const parts = [slug(section), subjectOf(quote)].filter((part) => part !== '')
  return freeId(parts.join('.') || 'clause', isTaken)
}

/**
 * The clause that a candidate comes to: a limit where it says a number with what that counts, else
 * a rule. `isTaken` tells ids that clauses have.
 */
export function taken(
  { section, line, quote }: Candidate,
  isTaken: (id: string) => boolean
): TakenClause {
  const id = idOf({ section, line, quote }, isTaken)
  const [number] = measure.exec(quote) ?? []
  const unit = numberIn(number ?? '')?.unit ?? ''
  const isLimit = number !== undefined && unit !== '' && !dull.has(unit)
  const said = isLimit ? { kind: 'limit' as const, documented: number } : undefined
  return {
    id,
    ...(said ?? { kind: 'rule', documented: quote }),
    ...{ quote, section, lines: `${line}` }
  }
}
