import { hash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Inventory, parseInventory } from '../scenario/clause.ts'
import { placed, type Quoted, quotable } from '../scenario/quotation.ts'
import { Failure, orFail } from './failure.ts'
import { givenDocument, givenText } from './given-file.ts'

/** The scenarios that come with Plimsoll: the edge platform's document. */
export const shipped = fileURLToPath(new URL('../../scenarios', import.meta.url))

/** The files in a folder of scenarios that clauses may quote: the first that is there. */
const quotedFiles = ['document.md', 'document.html']

/** Clauses that are named whose quotation is not in the document; of more there is a count. */
const mostTold = 20

/** A file that a run was made by, as it was then. */
export type Digest = { file: string; sha256: string }

/** The clauses of a folder, each with where the document says what it quotes. */
export type OpenInventory = {
  folder: string
  inventory: Inventory
  /** Of the inventory. */
  sha256: string
  /** What the clauses quote, where that is beside them. */
  source?: Digest
}

/** The folder asked for, else `scenarios` in the working folder, else the shipped one. */
export function scenariosFolder(asked: string | undefined): string {
  if (asked !== undefined) return resolve(asked)
  const own = resolve('scenarios')
  return existsSync(join(own, 'clauses.json')) ? own : shipped
}

/**
 * Throws a Failure where nobody named scenarios and the working folder has none: those that are
 * shipped are about another service.
 */
export function insistOnScenarios(asked: string | undefined): void {
  if (asked !== undefined || scenariosFolder(undefined) !== shipped) return
  if (shipped === resolve('scenarios')) return
  throw new Failure(
    'there are no scenarios here: npx plimsoll init begins with one, npx plimsoll init ' +
      'openapi.yaml with those of an API; --scenarios FOLDER names others, such as ' +
      (relative('', shipped) || shipped)
  )
}

/** A folder seen from the working folder, as a forge names it; undefined where it is elsewhere. */
export function folderHere(folder: string): string | undefined {
  const path = relative(process.cwd(), folder)
  const isElsewhere = isAbsolute(path) || path.split(sep)[0] === '..'
  return isElsewhere ? undefined : path.split(sep).join('/')
}

/** The clauses as they are written in a folder, with the text of their file. */
export async function readInventory(
  folder: string
): Promise<{ file: string; text: string; inventory: Inventory }> {
  const file = join(folder, 'clauses.json')
  const there = statSync(folder, { throwIfNoEntry: false })
  if (!there?.isDirectory()) {
    const what = there === undefined ? 'there is no folder of that name' : 'it is no folder'
    throw new Failure(`--scenarios ${folder}: ${what}; \`plimsoll init SOURCE\` writes one`)
  }
  if (!existsSync(file)) {
    throw new Failure(
      `${folder} has no clauses.json: list there what the document states, ` +
        'as [{ "id", "kind", "documented", "unit" }]'
    )
  }
  const text = givenText(file, file)
  return { file, text, inventory: await orFail(() => parseInventory(text, file)) }
}

/** A document that clauses may quote; a Failure says so where it cannot be read. */
export async function readQuoted(file: string): Promise<Quoted & { sha256: string }> {
  const text = givenDocument(file, file)
  return { ...quotable(text, basename(file)), sha256: hash('sha256', text) }
}

/** Where the document of a folder is that its clauses quote; undefined where there is none. */
export function quotedIn(folder: string): string | undefined {
  return quotedFiles.map((name) => join(folder, name)).find((file) => existsSync(file))
}

/** Reads a folder's clauses, and the document they quote; a Failure says all that is wrong. */
export async function openInventory(scenarios: string | undefined): Promise<OpenInventory> {
  const folder = scenariosFolder(scenarios)
  const { file, text, inventory } = await readInventory(folder)
  const sha256 = hash('sha256', text)
  const place = quotedIn(folder)
  if (place === undefined) {
    const quoting = [...inventory.values()].find(({ quote }) => quote !== undefined)
    if (quoting === undefined) return { folder, inventory, sha256 }
    throw new Failure(
      `${file}: "${quoting.id}" quotes a document, and ${folder} has no ${quotedFiles[0]}: ` +
        'put it there, or leave the quotations out'
    )
  }
  const document = await readQuoted(place)
  const found = placed(inventory, document)
  if (found.faults.length > 0) {
    const told = found.faults.slice(0, mostTold)
    const lines = told.map(({ clause, because }) => `${file}: "${clause}" ${because}`)
    const more = found.faults.length - told.length
    throw new Failure([...lines, ...(more > 0 ? [`and ${more} more like these`] : [])].join('\n'))
  }
  const source = { file: basename(place), sha256: document.sha256 }
  return { folder, inventory: found.inventory, sha256, source }
}
