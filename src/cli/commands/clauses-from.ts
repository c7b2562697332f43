import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Published, readPublished } from '../../publish/read-published.ts'
import { oneLine } from '../../report/printable.ts'
import { type Clause, type Inventory, parseInventory } from '../../scenario/clause.ts'
import { placed, quotable } from '../../scenario/quotation.ts'
import { quotedText } from '../../scenario/quoted-text.ts'
import { Failure, orFail } from '../failure.ts'
import { givenText } from '../given-file.ts'
import { writeWhole } from '../saved/whole-file.ts'

/** Bytes of a file that somebody published; a document of a hundred thousand clauses has less. */
const largest = 64 * 1_048_576

/**
 * Writes the clauses of published limits where there are none yet, and a `document.md` of what they
 * quote. Says what the file holds that is none, and is silent where nothing was lost.
 */
export async function takeOver(from: string, scenarios: string): Promise<void> {
  const file = join(scenarios, 'clauses.json')
  if (existsSync(file)) throw new Failure(`--from: ${file} is there already; name another folder`)
  const document = join(scenarios, 'document.md')
  const { subject, clauses, lost } = await orFail(() => read(from))
  const { known, gone } = withinReach(clauses)
  const inventory = await orFail(() => parseInventory(JSON.stringify(known), from))
  const { text, written, unquoted } = quoting(inventory, `What ${oneLine(subject, 80)} says`)
  const hasQuotes = written.some(({ quote }) => quote !== undefined)
  if (hasQuotes && existsSync(document)) {
    throw new Failure(`--from: ${document} is there already; name another folder`)
  }
  mkdirSync(scenarios, { recursive: true })
  if (hasQuotes) writeWhole(document, text)
  writeWhole(file, `${JSON.stringify(written.map(withoutEmpty), null, 2)}\n`)
  const count = (number: number, what: string) => (number > 0 ? [`${number} × ${what}`] : [])
  const left = [
    ...lost,
    ...count(gone, 'clause presupposed that is not in the file'),
    ...count(unquoted, 'quotation that is not to be told apart, now a note')
  ]
  const end = left.length > 0 ? `; left out: ${left.join(', ')}` : ''
  process.stdout.write(`${file}: ${written.length} clauses of ${oneLine(subject, 200)}${end}\n`)
}

function read(from: string): Published {
  const { size = 0 } = statSync(from, { throwIfNoEntry: false }) ?? {}
  if (size > largest) throw new Error(`${from} has ${size} bytes; ${largest} are read at most`)
  return readPublished(givenText(`--from ${from}`, from), from)
}

/** Clauses without what they presuppose and the file does not have: how often that was. */
function withinReach(clauses: readonly object[]): { known: object[]; gone: number } {
  const ids = new Set(clauses.map((clause) => (clause as { id?: unknown }).id))
  let gone = 0
  const known = clauses.map((clause) => {
    const { presupposes } = clause as { presupposes?: unknown }
    if (!Array.isArray(presupposes)) return clause
    const there = presupposes.filter((id) => ids.has(id))
    gone += presupposes.length - there.length
    return { ...clause, presupposes: there }
  })
  return { known, gone }
}

/** Clauses as they quote a text that is made of their quotations. */
function quoting(
  inventory: Inventory,
  title: string
): { text: string; written: Clause[]; unquoted: number } {
  const text = quotedText([...inventory.values()], title)
  const found = placed(inventory, quotable(text, 'document.md'))
  const odd = new Set(found.faults.map(({ clause }) => clause))
  const written = [...found.inventory.values()].map((clause) => {
    if (!odd.has(clause.id)) return clause
    const { quote, ...rest } = clause
    return { ...rest, notes: [clause.notes, `“${quote}”`].filter(Boolean).join(' ') }
  })
  return { text, written, unquoted: odd.size }
}

/** A clause as people write it: without fields that say nothing. */
function withoutEmpty(clause: Clause): object {
  const said = Object.entries(clause).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== '' && value !== undefined
  )
  return Object.fromEntries(said)
}
