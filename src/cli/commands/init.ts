import { existsSync, readFileSync } from 'node:fs'
import { basename, posix, relative, resolve } from 'node:path'
import * as v from 'valibot'
import { type Imported, importOpenApi, type SeenRate } from '../../import/openapi.ts'
import {
  clausesFile,
  type Files,
  firstFiles,
  projectFiles,
  variableOf
} from '../../import/project.ts'
import { samplesFile } from '../../import/samples-file.ts'
import { type ImportSource, parseSource } from '../../import/source.ts'
import { type Published, publishedIn } from '../../publish/read-published.ts'
import { oneLine } from '../../report/printable.ts'
import type { Command } from '../command.ts'
import { Failure, orFail } from '../failure.ts'
import { headerFlag } from '../flags/request-flags.ts'
import { insistOnWebUrl } from '../flags/web-url.ts'
import { givenDocument } from '../given-file.ts'
import { seenRate } from '../targets/seen-rate.ts'
import { readWeb } from '../targets/web-file.ts'
import { runNext, tell, writeImport, writeOwn } from './init-files.ts'

type Options = {
  source?: string
  target?: string
  scenarios?: string
  header: string[]
  authorisation: string
  diff: boolean
  mine: boolean
  rates?: string
  plan?: string
}

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
      .option('mine', {
        type: 'boolean',
        default: false,
        describe: 'Settle what is at odds: as it was changed by hand, and told no more'
      })
      .example('$0 init', 'a config, a scenario that runs and a workflow for CI')
      .example(
        '$0 init openapi.yaml --target http://127.0.0.1:3000',
        'a clause for each constraint'
      )
      .example('$0 init openapi.yaml --diff', 'what has changed in it since')
      .epilogue(
        'What is there and was not written by it stays as it is. Exit codes: 0, 1 where a change ' +
          'by hand and one of the source are at odds, 4 where nothing of a source can be asked ' +
          'about, 64 where it cannot be read.'
      ) as never,
  async handler(options) {
    const folder = folderOf(options.scenarios ?? 'limits')
    const url = options.target ?? urlThere(folder) ?? 'http://127.0.0.1:3000'
    insistOnWebUrl(url)
    const project = {
      scenarios: folder,
      url,
      headers: await orFail(() => variablesOf(options.header))
    }
    if (options.source === undefined) {
      if (options.rates !== undefined) throw new Failure(ratesAlone)
      return writeFirst(firstFiles(project), Object.values(project.headers))
    }
    const { text, file } = await sourceOf(options.source, options)
    const read = await orFail(() => parseSource(text, file))
    const published = await orFail(() => publishedOf(read))
    if (published !== undefined && options.rates !== undefined) throw new Failure(ratesAlone)
    if (published?.clauses.length === 0) {
      throw new Failure(`${file} says no limit: name one that does, or an OpenAPI document`)
    }
    if (published !== undefined) return writePublished(published, projectFiles(project), folder)
    const rates = options.rates === undefined ? undefined : await sourceOf(options.rates, options)
    const importing = (seen?: SeenRate) =>
      orFail(() => {
        const source = rates && parseSource(rates.text, rates.file)
        const stated = source && { rates: { source, plan: options.plan } }
        return importOpenApi(read, folder, { target: url, seen, ...stated })
      })
    const first = await importing()
    const isKnown = options.target !== undefined || urlThere(folder) !== undefined
    const seen = isKnown ? await seenOf(first, folder, options) : undefined
    const imported = seen === undefined ? first : await importing(seen)
    if (seen !== undefined) {
      imported.files[posix.join(folder, seenFile)] = `${JSON.stringify(seen, null, 2)}\n`
    }
    const own = {
      ...projectFiles({ ...project, url: imported.url }),
      [posix.join(folder, 'samples.yaml')]: samplesFile
    }
    const copy = copyOf(options.source, posix.join(folder, file))
    if (copy !== undefined && !(copy in { ...own, ...imported.files })) imported.files[copy] = text
    tellOtherUrl(folder, imported.url)
    const variables = Object.values(project.headers)
    writeImport({
      ...{ folder, own, imported, variables },
      ...{ diff: options.diff, isSettled: options.mine }
    })
  }
}

/** What a header told of a rate, beside the scenarios: a service that is down tells it no more. */
const seenFile = '_seen.json'

const seenShape = v.object({
  ...{ operation: v.string(), requests: v.number(), seconds: v.optional(v.number()) },
  ...{ header: v.string(), said: v.string() }
})

/** What the service tells of its rate, or did so when it was asked before. */
async function seenOf(
  { harmless }: Imported,
  folder: string,
  { authorisation, header }: Options
): Promise<SeenRate | undefined> {
  if (harmless === undefined) return
  const headers = Object.fromEntries(
    header.map((line) => {
      const name = line.slice(0, line.indexOf(':'))
      return [name, process.env[variableOf(name)] ?? line.slice(name.length + 1).trim()]
    })
  )
  const seen = await seenRate(harmless, { authorisation, headers }).catch((cause: Error) => {
    const why = cause.message.split('\n')[0] || 'it does not answer'
    process.stderr.write(
      `${oneLine(`RateLimit headers of ${harmless.url} were not read: ${why}`, 300)}\n`
    )
  })
  if (seen) return seen
  const place = posix.join(folder, seenFile)
  if (!existsSync(place)) return undefined
  return orFail(() => v.parse(seenShape, JSON.parse(readFileSync(place, 'utf8'))))
}

const ratesAlone =
  '--rates is about operations: name an OpenAPI document beside it, or the file of rates alone ' +
  'as SOURCE'

/** A folder in or below the working folder, as paths of files begin. */
function folderOf(given: string): string {
  const path = relative('', resolve(given)).replaceAll('\\', '/')
  if (path === '' || path.split('/')[0] === '..') {
    throw new Failure(`--scenarios ${given} is not below this folder: work in the project's`)
  }
  return path
}

/**
 * Where a source is copied to that is not in this project: its lines could be looked up nowhere. By
 * its name it must not be code, nor a file of ours.
 */
function copyOf(source: string, place: string): string | undefined {
  const isHere = relative('', resolve(source)).split(/[\\/]/)[0] !== '..'
  const isCopied = /^https?:\/\//.test(source) || !isHere
  const name = /\.(json|ya?ml)$/.test(place) ? place : `${place}.yaml`
  return isCopied && !posix.basename(name).startsWith('_') ? name : undefined
}

/** Where the service is by the target file that is there, where that can be read. */
function urlThere(folder: string): string | undefined {
  try {
    const { endpoints } = JSON.parse(readFileSync(posix.join(folder, 'target.json'), 'utf8'))
    const { url } = Object(Object(endpoints).service)
    return typeof url === 'string' ? url : undefined
  } catch {
    return undefined
  }
}

/** Says so where a target file, which is a person's own, has another URL than was asked for. */
function tellOtherUrl(folder: string, url: string): void {
  const there = urlThere(folder)?.replace(/\/$/, '')
  if (there === undefined || there === url) return
  const what = `${folder}/target.json says ${there}, and the service is at ${url}`
  process.stderr.write(`${oneLine(what, 300)}: change it there\n`)
}

/** Environment variables by the names of headers; the values are nobody's to keep. */
function variablesOf(headers: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    headers.map((line) => {
      const [, name] = /^([\w!#$%&'*+.^`|~-]+):/.exec(line) ?? []
      if (name === undefined) throw new Error('--header is not of the form "name: value"')
      return [name.toLowerCase(), variableOf(name)]
    })
  )
}

async function sourceOf(
  source: string,
  { authorisation }: Pick<Options, 'authorisation'>
): Promise<{ text: string; file: string }> {
  if (/^https?:\/\//.test(source)) return readWeb(source, { authorisation })
  return { text: givenDocument(source, source), file: basename(source) }
}

function writeFirst(files: Files, variables: readonly string[]): void {
  writeOwn(files)
  tell(`\nStart your service where target.json says, then: ${runNext(variables)}`)
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
