import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join, posix, relative, resolve } from 'node:path'
import * as v from 'valibot'
import { quoted } from '../../import/code.ts'
import { differenceText, type MergedFile, mergedClauses, mergedFiles } from '../../import/merge.ts'
import { type Imported, importOpenApi } from '../../import/openapi.ts'
import {
  clausesFile,
  type Files,
  firstFiles,
  projectFiles,
  purposeOf
} from '../../import/project.ts'
import { samplesFile } from '../../import/samples-file.ts'
import { type ImportSource, parseSource } from '../../import/source.ts'
import { type Published, publishedIn } from '../../publish/read-published.ts'
import { oneLine } from '../../report/printable.ts'
import type { Command } from '../command.ts'
import { Failure, orFail } from '../failure.ts'
import { headerFlag } from '../flags/request-flags.ts'
import { insistOnWebUrl } from '../flags/web-url.ts'
import { writeWhole } from '../saved/whole-file.ts'
import { readWeb } from '../targets/web-file.ts'

type Options = {
  source?: string
  target?: string
  scenarios?: string
  header: string[]
  authorisation: string
  diff: boolean
  rates?: string
  plan?: string
}

/** What was written last, beside the scenarios: the base of a three-way merge. */
const baseFile = '_import.json'

/** `plimsoll init [SOURCE]`: a project that runs, and the scenarios of an API's document. */
export const command: Command<Options> = {
  builder: (yargs) =>
    yargs
      .positional('source', {
        type: 'string',
        describe: 'An OpenAPI document (3.0, 3.1, 3.2), as JSON or YAML: a file, or a URL'
      })
      .option('target', {
        type: 'string',
        requiresArg: true,
        defaultDescription: 'http://127.0.0.1:3000',
        describe: 'Where the service answers'
      })
      .option('scenarios', {
        type: 'string',
        requiresArg: true,
        defaultDescription: './limits',
        describe: 'Folder to write scenarios to, in or below this one'
      })
      .option('header', {
        ...headerFlag,
        describe:
          'A header that each request needs, as "name: value"; the value is not written down'
      })
      .option('rates', {
        type: 'string',
        requiresArg: true,
        describe: 'SLA4OAI, API Commons rate limits or /.well-known/limits, whose rates are asked'
      })
      .option('plan', {
        type: 'string',
        requiresArg: true,
        implies: 'rates',
        describe: 'The plan of --rates that the credential is of'
      })
      .option('authorisation', {
        type: 'string',
        default: 'plimsoll.authorisation.json',
        describe: 'File that names the hosts beyond loopback that a source may be read from'
      })
      .option('diff', {
        type: 'boolean',
        default: false,
        describe: 'Show what importing again would change, and write nothing'
      })
      .example('$0 init', 'a config, a scenario that runs and a workflow for CI')
      .example(
        '$0 init openapi.yaml --target http://127.0.0.1:3000',
        'a clause for each constraint'
      )
      .example('$0 init openapi.yaml --diff', 'what has changed in it since')
      .epilogue(
        'What is there and was not written by it stays as it is. Exit codes: 0, 1 where a change ' +
          'by hand and one of the source are at odds, 64 where a source cannot be read.'
      ) as never,
  async handler(options) {
    const folder = folderOf(options.scenarios ?? 'limits')
    const url = options.target ?? 'http://127.0.0.1:3000'
    insistOnWebUrl(url)
    const project = {
      scenarios: folder,
      url,
      headers: await orFail(() => variablesOf(options.header))
    }
    if (options.source === undefined) return writeFirst(firstFiles(project))
    const { text, file } = await sourceOf(options.source, options)
    const read = await orFail(() => parseSource(text, file))
    const published = await orFail(() => publishedOf(read))
    if (published !== undefined) return writePublished(published, projectFiles(project), folder)
    const rates = options.rates === undefined ? undefined : await sourceOf(options.rates, options)
    const imported = await orFail(() => {
      const source = rates && parseSource(rates.text, rates.file)
      return importOpenApi(read, folder, source && { source, plan: options.plan })
    })
    const own = { ...projectFiles(project), [posix.join(folder, 'samples.yaml')]: samplesFile }
    writeImport({ folder, own, imported, diff: options.diff })
  }
}

/** A folder in or below the working folder, as paths of files begin. */
function folderOf(given: string): string {
  const path = relative('', resolve(given)).replaceAll('\\', '/')
  if (path === '' || path.split('/')[0] === '..') {
    throw new Failure(`--scenarios ${given} is not below this folder: work in the project's`)
  }
  return path
}

/** Environment variables by the names of headers; the values are nobody's to keep. */
function variablesOf(headers: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    headers.map((line) => {
      const [, name] = /^([\w!#$%&'*+.^`|~-]+):/.exec(line) ?? []
      if (name === undefined) throw new Error('--header is not of the form "name: value"')
      return [name.toLowerCase(), name.toUpperCase().replaceAll(/\W/g, '_')]
    })
  )
}

async function sourceOf(
  source: string,
  { authorisation }: Pick<Options, 'authorisation'>
): Promise<{ text: string; file: string }> {
  if (/^https?:\/\//.test(source)) return readWeb(source, { authorisation })
  return orFail(() => ({ text: readFileSync(source, 'utf8'), file: basename(source) }))
}

const readIfThere = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeWhole(path, text)
}

const tell = (text: string) => void process.stdout.write(`${text}\n`)

/** Writes what is not there yet, and says what each file is for. */
function writeOwn(files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const isThere = existsSync(path)
    if (!isThere) put(path, text)
    const purpose = purposeOf(path)
    tell(`${isThere ? 'kept   ' : 'written'}  ${path}${purpose ? `  ${purpose}` : ''}`)
  }
}

function writeFirst(files: Files): void {
  writeOwn(files)
  tell('\nStart your service where target.json says, then: npx plimsoll run')
}

/** What somebody published of limits, where that is what a source is. */
function publishedOf({ value, file }: ImportSource): Published | undefined {
  if (value === null || typeof value !== 'object' || 'openapi' in value) return undefined
  return publishedIn(JSON.stringify(value), file)
}

/** Clauses without scenarios: what is published of limits does not say how one asks. */
function writePublished({ subject, clauses, lost }: Published, own: Files, folder: string): void {
  if (clauses.some((clause) => 'quote' in clause)) {
    throw new Failure('it quotes a document: npx plimsoll clauses --from writes that, too')
  }
  const list = posix.join(folder, 'clauses.json')
  if (existsSync(list)) throw new Failure(`${list} is there already; name another folder`)
  writeOwn({ ...own, [list]: clausesFile(folder, clauses) })
  tell(oneLine(`\n${clauses.length} clauses of ${subject || 'a service'}`, 300))
  for (const why of lost) tell(oneLine(`  left out ${why}`, 300))
  tell('\nNext: a scenario for each, in the folder beside them')
}

/** What was written last; nothing at the first time. */
function baseAt(place: string): Files {
  const text = readIfThere(place)
  if (text === undefined) return {}
  try {
    return v.parse(v.object({ files: v.record(v.string(), v.string()) }), JSON.parse(text)).files
  } catch (cause) {
    throw new Failure(`${place} cannot be read: ${(cause as Error).message}`)
  }
}

type Writing = { folder: string; own: Files; imported: Imported; diff: boolean }

function writeImport({ folder, own, imported, diff }: Writing): void {
  const place = join(folder, baseFile)
  const base = baseAt(place)
  const list = posix.join(folder, 'clauses.json')
  const { [list]: clauses, ...files } = imported.files
  const { [list]: clausesBefore, ...filesBefore } = base
  const merged = mergedFiles(filesBefore, files, readIfThere)
  const kept = merged.filter(({ what }) => what !== 'same' && what !== 'removed')
  const isNeeded = (id: string) =>
    kept.some(({ text }) => [`'${id}'`, quoted(id)].some((name) => text?.includes(name)))
  const all = [
    ...merged,
    clausesMerged({ path: list, base: clausesBefore, theirs: clauses!, folder, isNeeded })
  ]
  if (!diff) {
    writeOwn(own)
    for (const one of all) write(one)
    put(place, `${JSON.stringify({ files: imported.files }, null, 1)}\n`)
  }
  const isAgain = Object.keys(base).length > 0
  if (isAgain || diff) tellChanges(all)
  tellImport(imported, folder)
  const disputed = all.filter(({ what }) => what === 'conflict')
  for (const { path } of disputed) {
    process.stderr.write(`${path}: changed by hand where the source changed, too; left as it was\n`)
  }
  if (disputed.length > 0) process.exitCode = 1
}

type ClausesMerge = {
  path: string
  base: string | undefined
  theirs: string
  folder: string
  isNeeded: (id: string) => boolean
}

function clausesMerged({ path, base, theirs, folder, isNeeded }: ClausesMerge): MergedFile {
  const mine = readIfThere(path)
  if (mine === undefined) return { path, what: 'new', text: theirs }
  const listOf = (text: string) => {
    const read = JSON.parse(text)
    return (Array.isArray(read) ? read : read.clauses) as { id: string }[]
  }
  let own: { id: string }[]
  try {
    own = listOf(mine)
  } catch (cause) {
    throw new Failure(`${path} cannot be read: ${(cause as Error).message}`)
  }
  const lists = { base: base === undefined ? [] : listOf(base), mine: own, theirs: listOf(theirs) }
  const text = clausesFile(folder, mergedClauses(lists, isNeeded))
  return { path, what: text === mine ? 'same' : 'changed', text, before: mine }
}

function write({ path, what, text }: MergedFile): void {
  if (what === 'removed') rmSync(path, { force: true })
  else if (text !== undefined && what !== 'same' && what !== 'kept') put(path, text)
}

function tellChanges(all: readonly MergedFile[]): void {
  for (const { path, what, text, before } of all) {
    if (what === 'same') continue
    if (what === 'kept') tell(`kept     ${path}: changed by hand`)
    else if (what === 'removed' || before === undefined) tell(`${what.padEnd(7)}  ${path}`)
    else if (text !== before) tell(differenceText(path, before, text!))
  }
}

function tellImport({ clauses, operations, left, identities }: Imported, folder: string): void {
  tell(`\n${folder}: ${clauses.length} clauses of ${operations} operations, each with its line`)
  const told = [...left].sort(([, one], [, other]) => other - one)
  for (const [why, times] of told.slice(0, 20)) {
    tell(oneLine(`  left out ${times === 1 ? '' : `${times} × `}${why}`, 300))
  }
  if (told.length > 20) tell(`  and ${told.length - 20} more reasons`)
  for (const [header, scheme] of identities) {
    tell(oneLine(`  ${scheme} is shown in the header ${header}: --header '${header}: …'`, 300))
  }
  tell('\nNext: npx plimsoll run')
}
