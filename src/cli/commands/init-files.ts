import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import * as v from 'valibot'
import { quoted } from '../../import/code.ts'
import { leftOutFile } from '../../import/left-out.ts'
import {
  type ClauseRules,
  type Dispute,
  differenceText,
  type MergedFile,
  mergedClauses,
  mergedFiles,
  statedNumbers,
  withUsed
} from '../../import/merge.ts'
import type { Imported } from '../../import/openapi.ts'
import { clausesFile, type Files, purposeOf } from '../../import/project.ts'
import { oneLine } from '../../report/printable.ts'
import { exit, Failure } from '../failure.ts'
import { writeWhole } from '../saved/whole-file.ts'

/** What was written last, beside the scenarios: the base of a three-way merge. */
const baseFile = '_import.json'

const readIfThere = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeWhole(path, text)
}

/** Tells a person on standard output. */
export const tell = (text: string) => void process.stdout.write(`${text}\n`)

/** Writes what is not there yet, and says what each file is for. */
export function writeOwn(files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const isThere = existsSync(path)
    if (!isThere) put(path, text)
    const purpose = purposeOf(path)
    tell(`${isThere ? 'kept   ' : 'written'}  ${path}${purpose ? `  ${purpose}` : ''}`)
  }
}

/** What was written last below a folder; nothing at the first time. */
function baseAt(folder: string): Files {
  const place = join(folder, baseFile)
  const text = readIfThere(place)
  if (text === undefined) return {}
  let files: Files
  try {
    files = v.parse(v.object({ files: v.record(v.string(), v.string()) }), JSON.parse(text)).files
  } catch (cause) {
    throw new Failure(`${place} cannot be read: ${(cause as Error).message}`)
  }
  // Whoever can change this file must not thereby have others removed or written.
  const stray = Object.keys(files).find((path) => !isBelow(folder, path))
  if (stray === undefined) return files
  const told = oneLine(JSON.stringify(stray), 200)
  throw new Failure(`${place}: ${told} is not below ${folder}: take it out of \`files\``)
}

/** Whether a path is that of a file below a folder, wherever links on the way to it lead. */
function isBelow(folder: string, path: string): boolean {
  if (posix.normalize(path) !== path || !path.startsWith(`${folder}/`)) return false
  let parent = posix.dirname(path)
  while (!existsSync(parent)) parent = posix.dirname(parent)
  const [top, place] = [folder, parent].map((one) => realpathSync(one))
  return place === top || place!.startsWith(`${top}/`)
}

/** What is written of an import, and whether by hand wins for good. */
type Writing = {
  folder: string
  own: Files
  imported: Imported
  /** Environment variables that the values of headers are taken from. */
  variables: readonly string[]
  diff: boolean
  isSettled: boolean
}

/** Scenarios below a folder that are a person's own, and what that says of samples. */
function ownFiles(folder: string, known: readonly MergedFile[]): Files {
  const paths = new Set(known.map(({ path }) => path))
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  const own = names
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((path) => /(\.[cm]?[jt]s|\/samples\.yaml)$/.test(path) && !paths.has(path))
  return Object.fromEntries(own.map((path) => [path, readFileSync(path, 'utf8')]))
}

/** Puts an import together with what is there, writes it and says what came of it. */
export function writeImport({ folder, own, imported, variables, diff, isSettled }: Writing): void {
  const base = baseAt(folder)
  const list = posix.join(folder, 'clauses.json')
  const { [list]: clauses, ...files } = imported.files
  const { [list]: clausesBefore, ...filesBefore } = base
  const plain = mergedFiles(filesBefore, files, readIfThere)
  const merged = withUsed(plain, ownFiles(folder, plain))
  const kept = merged.filter(({ what }) => what !== 'same' && what !== 'removed')
  const isNeeded = (id: string) =>
    kept.some(({ text }) => [`'${id}'`, quoted(id)].some((name) => text?.includes(name)))
  const numbers = statedNumbers(kept.flatMap(({ text }) => text ?? []))
  const listed = clausesMerged({
    ...{ path: list, base: clausesBefore, theirs: clauses!, folder },
    rules: {
      isNeeded,
      isStated: (now, next) =>
        [now, next].map((one) => one.documented === numbers.get(one.id)).join() === 'true,false'
    }
  })
  const all = [...merged, listed.file]
  const disputed = all.filter(({ what }) => what === 'conflict')
  // What is in dispute is told again until it is settled; what is only used may go later.
  const asBefore = plain.filter(
    ({ path, what }, index) =>
      path in filesBefore &&
      ((what === 'conflict' && !isSettled) ||
        (what === 'removed' && merged[index]!.what === 'kept'))
  )
  const next = {
    ...imported.files,
    ...Object.fromEntries(asBefore.map(({ path }) => [path, filesBefore[path]!])),
    ...(!isSettled && { [list]: listed.base })
  }
  if (!diff) {
    writeOwn(own)
    for (const one of all) write(one)
    put(join(folder, baseFile), `${JSON.stringify({ files: next }, null, 1)}\n`)
  }
  const isAgain = Object.keys(base).length > 0
  tellChanges(isAgain || diff ? all : all.filter(({ what }) => what === 'kept'))
  tellImport({ imported, folder, variables })
  if (isSettled || disputed.length === 0) return
  for (const { path, disputes = [] } of disputed) tellDisputes(path, disputes)
  process.stderr.write('Take what the source says, or settle it by hand with: init --mine\n')
  process.exitCode = 1
}

function tellDisputes(path: string, disputes: readonly Dispute[]): void {
  const told = disputes.map(({ mine, theirs }) => {
    const [own, other] = [mine, theirs].map((text) => oneLine(text.trim() || 'nothing', 200))
    return `  by hand: ${own}\n  source:  ${other}\n`
  })
  const head = `${path}: changed by hand where the source changed, too; left as it was\n`
  process.stderr.write(head + told.join(''))
}

type ClausesMerge = {
  path: string
  base: string | undefined
  theirs: string
  folder: string
  rules: ClauseRules<ListedClause>
}

type ListedClause = { id: string; documented?: string }

/** The list of clauses as it has to be written, and what an import after this one goes by. */
function clausesMerged({ path, base, theirs, folder, rules }: ClausesMerge): {
  file: MergedFile
  base: string
} {
  const mine = readIfThere(path)
  if (mine === undefined) return { file: { path, what: 'new', text: theirs }, base: theirs }
  const listOf = (text: string) => {
    const read = JSON.parse(text)
    return (Array.isArray(read) ? read : read.clauses) as ListedClause[]
  }
  let own: ListedClause[]
  try {
    own = listOf(mine)
  } catch (cause) {
    throw new Failure(`${path} cannot be read: ${(cause as Error).message}`)
  }
  const lists = { base: base === undefined ? [] : listOf(base), mine: own, theirs: listOf(theirs) }
  const merged = mergedClauses(lists, rules)
  const { disputes } = merged
  const text = clausesFile(folder, merged.clauses)
  const what = disputes.length > 0 ? 'conflict' : text === mine ? 'same' : 'changed'
  const file: MergedFile = { path, what, text, before: mine, disputes }
  return { file, base: clausesFile(folder, merged.base) }
}

function write({ path, what, text }: MergedFile): void {
  if (what === 'removed') rmSync(path, { force: true })
  else if (text !== undefined && what !== 'same' && what !== 'kept') put(path, text)
}

function tellChanges(all: readonly MergedFile[]): void {
  for (const { path, what, text, before, because } of all) {
    if (what === 'same') continue
    if (what === 'kept') tell(`kept     ${path}: ${because}`)
    else if (what === 'removed' || before === undefined) tell(`${what.padEnd(7)}  ${path}`)
    else if (text !== before) tell(differenceText(path, before, text!))
  }
}

/** How a run is begun, with the environment variables that it needs. */
export function runNext(variables: readonly string[]): string {
  const needed = variables.length > 0 ? `, with ${variables.join(', ')} in the environment` : ''
  return `npx plimsoll run${needed}`
}

type Told = { imported: Imported; folder: string; variables: readonly string[] }

function tellImport({ imported, folder, variables }: Told): void {
  const { clauses, operations, left, identities } = imported
  tell(`\n${folder}: ${clauses.length} clauses of ${operations} operations, each with its line`)
  const told = [...left].sort(([, one], [, other]) => other - one)
  for (const [why, times] of told.slice(0, 20)) {
    tell(`  left out ${oneLine(`${times === 1 ? '' : `${times} × `}${why}`, 300)}`)
  }
  if (told.length > 20) tell(`  and ${told.length - 20} more reasons`)
  if (told.length > 0) tell(`  all of it, with which clauses: ${posix.join(folder, leftOutFile)}`)
  const samples = posix.join(folder, 'samples.yaml')
  for (const { name, in: place, parameter } of identities.values()) {
    const how =
      place === 'header'
        ? `is shown in the header ${parameter}: --header '${parameter}: …'`
        : `is shown in the ${place}: set ${parameter} among the parameters of ${samples}`
    tell(`  ${oneLine(`${name} ${how}`, 300)}`)
  }
  if (clauses.length > 0) {
    tell(`\nNext: ${runNext(variables)}`)
    return
  }
  const why = 'Nothing of the document can be asked about: see what was left out, and why'
  process.stderr.write(`${why}\n`)
  process.exitCode = exit.nothingChecked
}
