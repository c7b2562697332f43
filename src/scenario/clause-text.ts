import type { QuotedPlace } from './quotation.ts'

/** A field of a clause where it is written: the gap before it, its value's place in the text. */
type Field = { gap: string; from: number; to: number }

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g

/** The fields of each object in the list of clauses, as the text of a JSON file has them. */
function objectsIn(text: string): Map<string, Field>[] {
  const inList = /^\s*\{/.test(text) ? 2 : 1
  const inObject = inList + 1
  const objects: Map<string, Field>[] = []
  let depth = 0
  let end = 0
  let name: string | undefined
  let gap = ''
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '{' && depth === inList) objects.push(new Map())
    else if (depth === inObject && token === ',') name = undefined
    else if (depth === inObject && token === '}') name = undefined
    else if (depth === inObject && token === ':')
      objects.at(-1)!.set(name!, { gap, from: -1, to: -1 })
    else if (depth === inObject && name === undefined) {
      name = JSON.parse(token) as string
      gap = text.slice(end, index)
    } else if (depth >= inObject) {
      const field = objects.at(-1)!.get(name!)!
      field.from = field.from < 0 ? index : field.from
      field.to = index + token.length
    }
    if (token === '{' || token === '[') depth++
    if (token === '}' || token === ']') depth--
    end = index + token.length
  }
  return objects
}

/**
 * The text of a `clauses.json` with the section and the lines of the clauses in `places`, by id.
 * Nothing else changes; what was not there yet stands after the quotation.
 */
export function withPlaces(text: string, places: ReadonlyMap<string, QuotedPlace>): string {
  const edits: { from: number; to: number; now: string }[] = []
  for (const fields of objectsIn(text)) {
    const id = fields.get('id')
    const place = id && places.get(JSON.parse(text.slice(id.from, id.to)))
    if (place === undefined) continue
    const { gap, to: after } = fields.get('quote')!
    for (const [name, value] of Object.entries(place)) {
      const now = JSON.stringify(value)
      const field = fields.get(name)
      if (field) edits.push({ from: field.from, to: field.to, now })
      else edits.push({ from: after, to: after, now: `,${gap}"${name}": ${now}` })
    }
  }
  const parts: string[] = []
  let done = 0
  // In their order: what is put in at one place stays as it was listed.
  for (const { from, to, now } of edits.sort((one, other) => one.from - other.from)) {
    parts.push(text.slice(done, from), now)
    done = to
  }
  return [...parts, text.slice(done)].join('')
}

/** The text of a `clauses.json` with more clauses at the end of its list, else as it is. */
export function withClauses(text: string, clauses: readonly object[]): string {
  const inList = /^\s*\{/.test(text) ? 2 : 1
  let depth = 0
  let [isEmpty, end] = [true, text.length]
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (depth === inList && token === ']') end = index
    if (depth === inList && token === '{') isEmpty = false
    if (token === '{' || token === '[') depth++
    if (token === '}' || token === ']') depth--
  }
  const indent = '  '.repeat(inList)
  const more = clauses.map((one) => JSON.stringify(one, null, 2).replace(/^/gm, indent))
  const before = `${text.slice(0, end).trimEnd()}${isEmpty ? '' : ','}`
  return `${before}\n${more.join(',\n')}\n${'  '.repeat(inList - 1)}${text.slice(end)}`
}
