import * as v from 'valibot'
import { numberIn, readings } from '../limit/limit.ts'
import { type Complaint, parseWritten } from '../written.ts'
import { nearest, orNearest } from './nearest.ts'

/** What a clause can be about; `unspecified` is what a document leaves open. */
export const kinds = [
  'limit',
  'rule',
  'field',
  'operation',
  'transition',
  'error',
  'versioning',
  'unspecified'
] as const

const kind = v.picklist(kinds, ({ input }) => {
  const like = typeof input === 'string' ? orNearest(input.slice(0, 40), kinds) : ''
  return `must be one of ${kinds.join(', ')}${like}`
})

const text = (meaning: string) => v.pipe(v.string(), v.description(meaning))

const entry = v.looseObject({
  id: v.pipe(
    v.string(),
    v.regex(/^[a-z0-9]+([.-]+[a-z0-9]+)*$/, 'must be a dotted kebab-case id'),
    v.description('Its name, by which scenarios claim it: orders.name-length')
  ),
  kind: v.pipe(
    kind,
    v.description(
      'What it is about; `unspecified` is what the document leaves open, which is only observed'
    )
  ),
  documented: text('What the document says; of a limit its number, alone or with a unit: 4 KiB'),
  derived: v.optional(
    v.pipe(v.boolean(), v.description('Advice drawn from the document: to break it is no failure'))
  ),
  unit: v.optional(text('The unit of the number, where `documented` has none')),
  quote: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty('must be words of the document'),
      v.description('Words of document.md, as they stand there')
    )
  ),
  section: v.optional(text('Where that is; `plimsoll clauses --write` fills it in'), ''),
  lines: v.optional(text('Lines of that; `plimsoll clauses --write` fills them in'), ''),
  source: v.optional(text('The file it was imported from')),
  pointer: v.optional(text('The place in that, as a JSON pointer')),
  plan: v.optional(text('The plan it is about')),
  restates: v.optional(text('The id of a clause that says the same in another place')),
  presupposes: v.optional(
    v.pipe(
      v.array(v.string(), 'must be a list of the ids of clauses'),
      v.description(
        'Ids of clauses without which this one says nothing: at least one must be shown, and ' +
          'each that can be asked'
      )
    ),
    []
  ),
  notes: v.optional(text('What else a reader should know'), '')
})

const list = v.array(entry)
const beside = v.strictObject(
  { $schema: v.optional(v.string()), clauses: list },
  'a document is an array of clauses, alone or named "clauses" beside "$schema"'
)

/** What a `clauses.json` has to look like: a list, alone or beside the address of its schema. */
export const clausesSchema = v.union([list, beside])

/** The same for one that is there: what is wrong with a union is told of neither of the two. */
const schemaFor = (json: unknown) => (Array.isArray(json) ? list : beside)

/** What is wrong with fields that are none of a clause but hardly differ from one: `presuposes`. */
function misspelt(clauses: readonly Clause[]): string | undefined {
  const known = Object.keys(entry.entries)
  // Each name is looked at once: a document has hundreds of clauses and a few fields of its own.
  const fields = new Set(clauses.flatMap((clause) => Object.keys(clause)))
  for (const name of known) fields.delete(name)
  const field = [...fields].find((other) => nearest(other, known).length > 0)
  const first = clauses.find((clause) => field !== undefined && field in clause)
  return first && `"${first.id}": "${field}" is no field of a clause${orNearest(field!, known)}`
}

/** One statement of a document, as its inventory `clauses.json` lists it. */
export type Clause = v.InferOutput<typeof entry>

/** Every clause of a document by id, in the document's order. */
export type Inventory = ReadonlyMap<string, Clause>

/** The inventory in a `clauses.json`; throws an Error that names the file, the entry, the fix. */
export function parseInventory(text: string, file: string): Inventory {
  const complaint: Complaint = (issue) =>
    `${v.getDotPath(issue) ?? 'the document'}: ${issue.message}`
  const written = parseWritten(v.lazy(schemaFor), { text, file, complaint })
  const clauses = Array.isArray(written) ? written : written.clauses
  const inventory = new Map<string, Clause>()
  for (const clause of clauses) {
    if (inventory.has(clause.id)) throw new Error(`${file}: "${clause.id}" is listed twice`)
    inventory.set(clause.id, clause)
  }
  const fault = misspelt(clauses) ?? faultOf(inventory)
  if (fault !== undefined) throw new Error(`${file}: ${fault}`)
  return inventory
}

/** What is wrong with a clause, or with what clauses presuppose of each other. */
function faultOf(inventory: Inventory): string | undefined {
  for (const { id, documented, unit, presupposes } of inventory.values()) {
    const own = numberIn(documented)?.unit
    if (own && unit) return `"${id}": "documented" has the unit ${own}, so "unit" has to go`
    for (const other of presupposes) {
      const clause = inventory.get(other)
      if (clause === undefined)
        return `"${id}" presupposes "${other}", which is not listed: name a clause of this file`
      if (isUnspecified(clause))
        return `"${id}" presupposes "${other}", which can only be observed: name one that can hold`
    }
    if (presupposedBy([id], inventory).includes(id))
      return `"${id}" presupposes itself, by way of ${presupposedBy([id], inventory).join(', ')}`
  }
  return undefined
}

/** Ids of all that some clauses presuppose, and what those presuppose in their turn. */
export function presupposedBy(ids: readonly string[], inventory: Inventory): string[] {
  const all = new Set<string>()
  const add = (id: string) => {
    for (const one of inventory.get(id)?.presupposes ?? []) {
      if (all.has(one)) continue
      all.add(one)
      add(one)
    }
  }
  for (const id of ids) add(id)
  return [...all]
}

/** What the document says, in its own unit: `16 KB`. */
export function documentedText({ documented, unit }: Clause): string {
  return unit ? `${documented} ${unit}` : documented
}

/** Every value a documented number can mean, ascending; empty when the clause is no number. */
export function documentedReadings({ documented, unit = '' }: Clause): number[] {
  const number = numberIn(documented)
  return number ? readings(number.value, number.unit || unit) : []
}

/** Whether the document leaves the matter open, so that it may only be observed. */
export function isUnspecified(clause: Clause): boolean {
  return clause.kind === 'unspecified'
}
