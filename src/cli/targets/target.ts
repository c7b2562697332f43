import { lookup } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import * as v from 'valibot'
import { createMeterMemory } from '../../caps.ts'
import { bare, type TlsProof } from '../../route.ts'
import { orNearest } from '../../scenario/nearest.ts'
import { parseAddress } from '../../target/address.ts'
import {
  type Addresses,
  type Authorisation,
  authorise,
  hostsOf,
  parseAuthorisations
} from '../../target/authorise.ts'
import { type Target, withTables } from '../../target/target.ts'
import { type Complaint, parseWritten } from '../../written.ts'
import type { Document } from '../document.ts'
import { exit, Failure, orFail } from '../failure.ts'
import { type TlsFlags, tlsOf } from '../flags/tls-flags.ts'
import { insistOnWebUrl } from '../flags/web-url.ts'
import { givenText } from '../given-file.ts'
import { type Launched, launchEmbedded, type Running } from './embedded.ts'

/** Values by name: a list has names too, which are 0, 1, 2 …, and nobody means those. */
const isNoList = v.custom<object>((told) => !Array.isArray(told), 'Expected names, not a list')
const byName = <Value extends v.GenericSchema>(value: Value) =>
  v.intersect([isNoList, v.record(v.string(), value)])

const strings = byName(v.string())
/** Names and values of which HTTP can make a field; RFC 9110, 5.1 and 5.5. */
const headers = v.intersect([
  isNoList,
  v.record(
    v.pipe(v.string(), v.regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'No name of a header')),
    v.pipe(v.string(), v.regex(/^[\t -~\x80-\xff]*$/, 'No value of a header: one line of text'))
  )
])
const endpoint = v.strictObject({
  url: v.pipe(v.string(), v.url(), v.description('Where it answers')),
  headers: v.optional(v.pipe(headers, v.description('What every request to it carries'))),
  verifyTls: v.optional(
    v.pipe(v.boolean(), v.description('Whether it has to prove who it is; default: true'))
  )
})
const common = {
  $schema: v.optional(v.string()),
  name: v.pipe(v.string(), v.description('What reports call it')),
  endpoints: v.pipe(
    byName(endpoint),
    v.description('Its listeners, by the names that scenarios need')
  ),
  adapter: v.optional(
    v.pipe(
      v.string(),
      v.description('A module that offers what the documented API does not, beside this file')
    )
  )
}

/** What a file says of a target of a document with these tables. */
function schemaOf(tables: readonly string[]) {
  const own = Object.fromEntries(tables.map((name) => [name, v.optional(strings, {})]))
  return v.strictObject({ ...own, ...common })
}

/** What a file says of a target of whatever document: which tables it has is that one's matter. */
export const targetSchema = v.objectWithRest(common, strings)

/** Replaces `${NAME}` by that environment variable, so that no secret need stand in a file. */
function fillIn(text: string, file: string): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = process.env[name]
    if (value === undefined) throw new Failure(`${file} names \${${name}}, which is not set`)
    return JSON.stringify(value).slice(1, -1)
  })
}

/** What is wrong with such a file; a field that nobody knows is taken for a table. */
function complaintOf(tables: readonly string[]): Complaint {
  return (issue) => {
    const path = v.getDotPath(issue)
    const isUnknown = issue.type === 'strict_object' && issue.expected === 'never'
    if (!isUnknown) return `${path ?? 'the target'}: ${issue.message}`
    if (issue.path!.length > 1) {
      const field = String(issue.path!.at(-1)!.key)
      return `${path} is no field of an endpoint${orNearest(field, Object.keys(endpoint.entries))}`
    }
    return (
      `"${path}" is no table of this document, which has ${tables.join(', ') || 'none'}` +
      `${orNearest(path!, tables)}. Its _target.ts lists what a target's file may have beside ` +
      `endpoints: export const target = { tables: ['${path}'] }`
    )
  }
}

/** What a file says; a Failure where it does not say it as it should. */
function read<Said>(file: string, parse: (text: string) => Said, flag = '--target'): Said {
  const text = givenText(`${flag} ${file}`, file)
  try {
    return parse(text)
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure((cause as Error).message)
  }
}

/** A target described in a JSON file, with all tables of its document. */
export function readTarget(file: string, tables: readonly string[]): Target {
  const complaint = complaintOf(tables)
  const {
    adapter,
    $schema: _,
    ...target
  } = read(file, (text) =>
    parseWritten(schemaOf(tables), { text: fillIn(text, file), file, complaint })
  )
  for (const [name, { url }] of Object.entries(target.endpoints)) {
    try {
      insistOnWebUrl(url)
      parseAddress(url)
    } catch (cause) {
      throw new Failure(`${file}: endpoints.${name}.url: ${(cause as Error).message}`)
    }
  }
  const module = adapter && resolve(dirname(file), adapter)
  if (module && !existsSync(module)) throw new Failure(`${file}: adapter: there is no ${module}`)
  return { ...target, file, adapter: module } as Target
}

function named(asked: string, tables: readonly string[]): Target {
  if (/^https?:\/\//.test(asked)) {
    if (!URL.canParse(asked)) throw new Failure(`--target ${asked} is not a URL`)
    const empty = Object.fromEntries(tables.map((name) => [name, {}]))
    return withTables({ name: asked, endpoints: { service: { url: asked } } }, empty)
  }
  const isFile = asked.endsWith('.json')
  const places = [asked, ...(isFile ? [] : [join('targets', `${asked}.json`)])]
  const file = places.map((at) => resolve(at)).find(existsSync)
  if (file === undefined) {
    const short = isFile ? '' : ` nor ${places[1]},`
    throw new Failure(`--target ${asked} is neither a URL, nor a file,${short} nor "platform"`)
  }
  return readTarget(file, tables)
}

function authorisations(file: string): Authorisation[] {
  if (!existsSync(file)) return []
  return read(file, (text) => parseAuthorisations(text, file), '--authorisation')
}

/** The addresses of hosts, asked for once; those that have none are left out. */
async function addressesOf(hosts: readonly string[]): Promise<Addresses> {
  const found = hosts.map(async (host) => {
    const all = await lookup(bare(host), { all: true }).catch(() => [])
    return [host, all.map(({ address }) => address)] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

/** All that this process sends by one entry counts together, whatever asked for it. */
const meters = new Map<string, SharedArrayBuffer>()

function meterOf(host: string): SharedArrayBuffer {
  const known = meters.get(host) ?? createMeterMemory()
  meters.set(host, known)
  return known
}

/**
 * Lets a target through with the addresses it was checked for, its caps and what is proved there
 * over TLS, or ends the command: only loopback is free to be tested.
 */
export async function permitted(
  target: Target,
  { authorisation: file, tls }: { authorisation: string; tls?: TlsProof }
): Promise<Target> {
  const given = authorisations(file)
  const addresses = await addressesOf(await orFail(() => hostsOf(target)))
  const known = { authorisations: given, addresses, meterOf }
  const verdict = authorise(target, known, Date.now())
  if (!verdict.allowed) {
    throw new Failure(`${verdict.because} (authorisation file: ${file})`, exit.notAuthorised)
  }
  const endpoints = Object.entries(target.endpoints).map(([name, endpoint]) => {
    const { origin, isSecure } = parseAddress(endpoint.url)
    const route = { ...verdict.routes[origin]!, ...(isSecure && tls && { tls }) }
    return [name, { ...endpoint, route }] as const
  })
  return { ...target, endpoints: Object.fromEntries(endpoints), caps: verdict.caps }
}

/** The target as it is, or with listeners that need not prove who they are. */
function unverified(target: Target, { insecure }: { insecure?: boolean }): Target {
  if (!insecure) return target
  const endpoints = Object.entries(target.endpoints).map(([name, endpoint]) => {
    return [name, { ...endpoint, verifyTls: false }] as const
  })
  return { ...target, endpoints: Object.fromEntries(endpoints) }
}

/** The target asked for, else the document's own `target.json`, else the embedded platform. */
function askedFor(target: string | undefined, folder: string): string {
  const own = join(folder, 'target.json')
  return target ?? (existsSync(own) ? own : 'platform')
}

/** Begins to start what is tested, where that is the embedded platform. */
export function launchTarget(target: string | undefined, folder: string): Launched | undefined {
  return askedFor(target, folder) === 'platform' ? launchEmbedded() : undefined
}

/** The target asked for; the embedded platform is the one that was launched, if one was. */
export async function openTarget(
  options: TlsFlags & {
    target?: string
    authorisation: string
    insecure?: boolean
    fleet?: string
  },
  document: Pick<Document, 'folder' | 'target'>,
  launched?: Launched
): Promise<Running> {
  const asked = askedFor(options.target, document.folder)
  if (asked === 'platform') {
    tlsOf([], options)
    return (launched ?? launchEmbedded()).ready({ scenarios: document.folder })
  }
  const asTold = named(asked, document.target.tables)
  const urls = Object.values(asTold.endpoints).map(({ url }) => url)
  urls.forEach(insistOnWebUrl)
  const tls = tlsOf(urls, options)
  const target = await permitted(asTold, { authorisation: resolve(options.authorisation), tls })
  return { target: unverified(target, options), stop: async () => {} }
}
