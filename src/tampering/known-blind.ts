import * as v from 'valibot'
import { complaintBy, parseWritten } from '../written.ts'

/** Why no tampering turns some checks to a fail, as a document's `blind.json` has it. */
export type KnownBlind = {
  /** The scenario, or the folder of several. */
  scenario: string
  /** Those of its clauses that this is said of; all of them where it is left out. */
  clauses?: readonly string[]
  because: string
}

const name = v.pipe(v.string(), v.nonEmpty())
const schema = v.array(
  v.strictObject({
    scenario: name,
    clauses: v.optional(v.pipe(v.array(name), v.nonEmpty())),
    because: v.pipe(v.string(), v.regex(/\S+\s+\S+/))
  })
)
const complaint = complaintBy(
  {
    scenario: 'the id of a scenario, or of a folder of them',
    clauses: 'an array of ids of clauses',
    because: 'a reason in words'
  },
  'a list of { "scenario", "clauses", "because" }'
)

/** What a `blind.json` says; throws an Error that names the file and the fix. */
export function parseKnownBlind(text: string, file: string): KnownBlind[] {
  return parseWritten(schema, { text, file, complaint })
}

/** The entry that is about a clause in a scenario, if there is one. */
export function knownOf(
  all: readonly KnownBlind[],
  { scenario, clause }: { scenario: string; clause: string }
): KnownBlind | undefined {
  return all.find(
    (one) =>
      `${scenario}/`.startsWith(`${one.scenario}/`) && (one.clauses?.includes(clause) ?? true)
  )
}
