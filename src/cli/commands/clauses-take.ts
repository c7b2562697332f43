import { existsSync, mkdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { oneLine } from '../../report/printable.ts'
import { type Candidate, unquoted } from '../../scenario/candidate.ts'
import { type Inventory, parseInventory } from '../../scenario/clause.ts'
import { freeId } from '../../scenario/clause-id.ts'
import { withClauses } from '../../scenario/clause-text.ts'
import { placed, type Quoted } from '../../scenario/quotation.ts'
import { type TakenClause, taken } from '../../scenario/taken.ts'
import { Failure, orFail } from '../failure.ts'
import { givenDocument, givenText } from '../given-file.ts'
import { quotedIn, readQuoted } from '../inventory.ts'
import { writeWhole } from '../saved/whole-file.ts'

/** What is to be taken over: lines, some with the id that they get; all; or as a person answers. */
type Wanted = 'asked' | 'all' | ReadonlyMap<number, string | undefined>

function wantedIn(given: string): Wanted {
  if (given === '') return 'asked'
  if (given === 'all') return 'all'
  return new Map(
    given.split(',').map((word) => {
      const [, line, id] = /^(\d+)(?:=([a-z0-9]+(?:[.-]+[a-z0-9]+)*))?$/.exec(word.trim()) ?? []
      if (line !== undefined) return [Number(line), id]
      throw new Failure(
        `--take ${word} is no line: say --take 12,15=orders.name-length, --take all, or --take ` +
          'alone in a terminal'
      )
    })
  )
}

/**
 * Takes candidates of a document over as clauses, and the document with them where the folder has
 * none: `given` is what `--take` says. Throws a Failure where it names what is not there.
 */
export async function take(given: string, file: string, scenarios: string): Promise<void> {
  const wanted = wantedIn(given)
  if (wanted === 'asked' && !process.stdin.isTTY) {
    throw new Failure('--take alone asks, in a terminal; here say --take all, or --take LINES')
  }
  const place = join(scenarios, 'clauses.json')
  const text = existsSync(place) ? givenText(place, place) : '[]\n'
  const inventory = await orFail(() => parseInventory(text, place))
  const own = quotedIn(scenarios)
  if (own !== undefined && resolve(own) !== resolve(file)) {
    throw new Failure(`${scenarios} quotes ${own}, and not ${file}: name another --scenarios`)
  }
  const document = await readQuoted(file)
  const open = unquoted(inventory, document)
  const clauses =
    wanted === 'asked' ? await asked(open, inventory) : chosen(open, wanted, inventory)
  const kept = findable(clauses, document)
  if (kept.length > 0) {
    mkdirSync(scenarios, { recursive: true })
    if (own === undefined) {
      const name = /\.html?$/i.test(file) ? 'document.html' : 'document.md'
      writeWhole(join(scenarios, name), givenDocument(file, file))
    }
    writeWhole(place, withClauses(text, kept))
  }
  for (const { id, kind, lines } of kept) {
    process.stdout.write(`${basename(file)}:${lines}: ${kind} ${id}\n`)
  }
  process.stdout.write(
    `${place}: ${kept.length} clauses more, ${inventory.size + kept.length} in all\n`
  )
}

/** Those that the document says once: of the others nobody could tell which is quoted. */
function findable(clauses: readonly TakenClause[], document: Quoted): TakenClause[] {
  const all = new Map(clauses.map((one) => [one.id, { ...one, presupposes: [], notes: '' }]))
  const { inventory, faults } = placed(all, document)
  for (const { clause, because } of faults) {
    process.stderr.write(`plimsoll: ${oneLine(`${clause} ${because}`, 500)}\n`)
  }
  const odd = new Set(faults.map(({ clause }) => clause))
  return clauses.flatMap((one) => {
    if (odd.has(one.id)) return []
    const { section, lines } = inventory.get(one.id)!
    return { ...one, section, lines }
  })
}

/** Clauses of candidates, each under an id that no other has. */
function gathering(inventory: Inventory) {
  const clauses = new Map<string, TakenClause>()
  const isTaken = (id: string) => inventory.has(id) || clauses.has(id)
  return {
    clauses,
    proposed: (candidate: Candidate) => taken(candidate, isTaken),
    add(clause: TakenClause, id = clause.id) {
      const name = freeId(id, isTaken)
      clauses.set(name, { ...clause, id: name })
    }
  }
}

function chosen(
  open: readonly Candidate[],
  wanted: Exclude<Wanted, 'asked'>,
  inventory: Inventory
): TakenClause[] {
  const { clauses, proposed, add } = gathering(inventory)
  for (const one of open) {
    if (wanted === 'all') add(proposed(one))
    else if (wanted.has(one.line)) add(proposed(one), wanted.get(one.line))
  }
  const lines = new Set(open.map(({ line }) => line))
  const gone = wanted === 'all' ? [] : [...wanted.keys()].filter((line) => !lines.has(line))
  if (gone.length === 0) return [...clauses.values()]
  throw new Failure(
    `no candidate begins on line ${gone.join(', ')}: without --take they are listed`
  )
}

async function asked(open: readonly Candidate[], inventory: Inventory): Promise<TakenClause[]> {
  const { clauses, proposed, add } = gathering(inventory)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  // Ctrl-C and the end of the input end the questions, and keep what was taken until then.
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('q')))
  for (const one of open) {
    const clause = proposed(one)
    process.stdout.write(`\n${oneLine(`${one.section}:${one.line}: ${one.quote}`, 500)}\n`)
    const question = `${clause.kind} ${clause.id}? [y]es, [n]o, [q]uit, or another id: `
    const answer = (await Promise.race([terminal.question(question), ended])).trim()
    if (answer === 'q') break
    if (/^y(es)?$/i.test(answer)) add(clause)
    else if (/^[a-z0-9]+([.-]+[a-z0-9]+)+$/.test(answer)) add(clause, answer)
  }
  terminal.close()
  return [...clauses.values()]
}
