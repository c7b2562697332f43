import * as v from 'valibot'
import { readings } from '../limit/limit.ts'
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

const entry = v.looseObject({
  id: v.pipe(v.string(), v.regex(/^[a-z0-9]+([.-]+[a-z0-9]+)*$/, 'must be a dotted kebab-case id')),
  kind,
  documented: v.string(),
  // Advice drawn from the document, which it does not state: to break it is no failure.
  derived: v.optional(v.boolean()),
  unit: v.optional(v.string()),
  // Words of the document, and where they stand in it.
  quote: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty('must be words of the document'))),
  section: v.optional(v.string(), ''),
  lines: v.optional(v.string(), ''),
  plan: v.optional(v.string()),
  // The id of a clause that says the same in another place.
  restates: v.optional(v.string()),
  // Ids of clauses without which this one says nothing: at least one of them must be shown, and
  // each that can be asked.
  presupposes: v.optional(v.array(v.string(), 'must be a list of the ids of clauses'), []),
  notes: v.optional(v.string(), '')
})

const schema = v.array(entry)

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
export type Clause = v.InferOutput<typeof schema>[number]

/** Every clause of a document by id, in the document's order. */
export type Inventory = ReadonlyMap<string, Clause>

/** The inventory in a `clauses.json`; throws an Error that names the file, the entry, the fix. */
export function parseInventory(text: string, file: string): Inventory {
  const complaint: Complaint = (issue) =>
    `${v.getDotPath(issue) ?? 'the document'}: ${issue.message}`
  const clauses = parseWritten(schema, { text, file, complaint })
  const inventory = new Map<string, Clause>()
  for (const clause of clauses) {
    if (inventory.has(clause.id)) throw new Error(`${file}: "${clause.id}" is listed twice`)
    inventory.set(clause.id, clause)
  }
  const fault = misspelt(clauses) ?? faultOf(inventory)
  if (fault !== undefined) throw new Error(`${file}: ${fault}`)
  return inventory
}

/** What is wrong with what clauses presuppose of each other, if anything is. */
function faultOf(inventory: Inventory): string | undefined {
  for (const { id, presupposes } of inventory.values()) {
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
export function documentedText(clause: Clause): string {
  return clause.unit ? `${clause.documented} ${clause.unit}` : clause.documented
}

/** Every value a documented number can mean, ascending; empty when the clause is no number. */
export function documentedReadings(clause: Clause): number[] {
  const number = /^(?:about )?(\d+(?:\.\d+)?)$/.exec(clause.documented)
  return number ? readings(Number(number[1]), clause.unit ?? '') : []
}

/** Whether the document leaves the matter open, so that it may only be observed. */
export function isUnspecified(clause: Clause): boolean {
  return clause.kind === 'unspecified'
}
