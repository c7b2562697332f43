import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { oneLine } from '../../report/printable.ts'
import { type Candidate, candidates, unquoted } from '../../scenario/candidate.ts'
import type { Clause, Inventory } from '../../scenario/clause.ts'
import { withPlaces } from '../../scenario/clause-text.ts'
import {
  placed,
  type QuotationFault,
  type Quoted,
  type QuotedPlace,
  quotationFaults,
  shares
} from '../../scenario/quotation.ts'
import type { Command } from '../command.ts'
import { Failure } from '../failure.ts'
import { quotedIn, readInventory, readQuoted, scenariosFolder } from '../inventory.ts'
import { writeWhole } from '../saved/whole-file.ts'
import { sharesText } from '../terminal/clauses-text.ts'
import { takeOver } from './clauses-from.ts'
import { take } from './clauses-take.ts'

type Options = {
  document?: string
  scenarios?: string
  check: boolean
  write: boolean
  from?: string
  take?: string
  json: boolean
}

/** A document, and the clauses that quote it or may come to do so. */
type Reading = { file?: string; text: string; inventory: Inventory; document: Quoted }

/** `plimsoll clauses DOC.md`: what a document states, and whether its clauses still quote it. */
export const command: Command<Options> = {
  builder: (yargs) =>
    yargs
      .positional('document', {
        type: 'string',
        describe: 'Markdown or HTML (default: document.md, or .html, beside the clauses)'
      })
      .option('scenarios', {
        type: 'string',
        describe: 'Folder with the clauses.json (default: ./scenarios, else the shipped one)'
      })
      .option('check', {
        type: 'boolean',
        default: false,
        describe: 'Exit 1 where a clause quotes what the document does not say, or not there'
      })
      .option('write', {
        type: 'boolean',
        default: false,
        describe: 'Write section and lines of what is quoted into clauses.json'
      })
      .option('from', {
        type: 'string',
        requiresArg: true,
        describe: 'Write a clauses.json of what somebody published, in any form of `publish`'
      })
      .option('take', {
        type: 'string',
        describe: 'Take candidates over: LINE, LINE=ID, several with commas, `all`; alone it asks'
      })
      .option('json', { type: 'boolean', default: false, describe: 'One JSON document on stdout' })
      .example('$0 clauses limits.md', 'sentences that may be clauses, with their lines')
      .example('$0 clauses limits.html --take 12,15=orders.size', 'makes clauses of two of them')
      .example('$0 clauses --check', 'for CI: do the clauses still quote the document?')
      .example('$0 clauses --write', 'after the document was edited')
      .example('$0 clauses --from limits.json', 'what they say they verified, to verify it')
      .epilogue('It sends nothing, and loads no scenario.') as never,
  async handler(options) {
    if (options.from !== undefined) return takeOver(options.from, options.scenarios ?? 'scenarios')
    if (options.take !== undefined) {
      const { document, take: given, scenarios = 'scenarios' } = options
      const file = document ?? quotedIn(scenarios)
      if (file === undefined) throw new Failure('--take: name the document to take clauses from')
      return take(given, file, scenarios)
    }
    const reading = await read(options)
    const written = options.write ? write(reading) : reading
    const faults = quotationFaults(written.inventory, written.document)
    const open = unquoted(written.inventory, written.document)
    const told = options.json ? asJson(written, faults, open) : asText(written, faults, open)
    process.stdout.write(told)
    if (options.check && faults.length > 0) process.exitCode = 1
  }
}

async function read({ document, scenarios }: Options): Promise<Reading> {
  const folder = scenariosFolder(scenarios)
  const isOwn = scenarios !== undefined || folder === resolve('scenarios')
  const place = document ?? quotedIn(folder)
  if (place === undefined) {
    throw new Failure(`${folder} has no document.md: name the document that the clauses quote`)
  }
  const quoted = await readQuoted(place)
  // A document of somebody's that has no clauses yet is not held against those of ours.
  const hasClauses = document === undefined || (isOwn && existsSync(join(folder, 'clauses.json')))
  if (!hasClauses) return { text: '', inventory: new Map(), document: quoted }
  return { ...(await readInventory(folder)), document: quoted }
}

/** The same, once section and lines are written where they belong. */
function write({ file, text, inventory, document }: Reading): Reading {
  if (file === undefined) throw new Failure('--write: there is no clauses.json to write into')
  const { inventory: found, faults } = placed(inventory, document)
  const places = new Map<string, QuotedPlace>()
  for (const { id, quote, section, lines } of found.values()) {
    if (quote !== undefined) places.set(id, { section, lines })
  }
  for (const { clause } of faults) places.delete(clause)
  const now = withPlaces(text, places)
  if (now !== text) writeWhole(file, now)
  return { file, text: now, inventory: found, document }
}

function asJson(
  { inventory, document }: Reading,
  faults: readonly QuotationFault[],
  open: readonly Candidate[]
): string {
  const clauses = [...inventory.values()].map(({ id, kind, quote, section, lines }: Clause) => {
    return { id, kind, quote, section, lines }
  })
  const { stated, open: left, quoted } = shares(inventory)
  const counts = { clauses: inventory.size, stated, open: left, quoted }
  const all = { document: document.name, counts, faults, candidates: open, clauses }
  return `${JSON.stringify(all, null, 2)}\n`
}

function asText(
  { inventory, document }: Reading,
  faults: readonly QuotationFault[],
  open: readonly Candidate[]
): string {
  const all = candidates(document).length
  const lines = [
    ...open.map(({ line, quote }) => oneLine(`${document.name}:${line}: ${quote}`, 500)),
    ...(open.length > 0 ? [''] : []),
    ...faults.map(({ clause, because }) => oneLine(`✘ ${clause} ${because}`, 1_000)),
    ...(faults.length > 0 ? [''] : []),
    ...(inventory.size > 0 ? [sharesText(inventory, document.name)] : []),
    `${all} ${all === 1 ? 'sentence' : 'sentences'} of ${document.name} may be clauses, ` +
      `${open.length} of which none quotes`
  ]
  return `${lines.join('\n')}\n`
}
