import { lookup } from 'node:dns/promises'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import * as v from 'valibot'
import { createMeterMemory } from '../../caps.ts'
import { bare } from '../../route.ts'
import { parseAddress } from '../../target/address.ts'
import {
  type Addresses,
  type Authorisation,
  authorise,
  hostsOf,
  parseAuthorisations
} from '../../target/authorise.ts'
import type { Target } from '../../target/target.ts'
import { type Complaint, parseWritten } from '../../written.ts'
import { exit, Failure, orFail } from '../failure.ts'
import { insistOnWebUrl } from '../flags/web-url.ts'
import { type Running, startEmbedded } from './embedded.ts'

const strings = v.record(v.string(), v.string())
const schema = v.strictObject({
  name: v.string(),
  endpoints: v.record(
    v.string(),
    v.strictObject({
      url: v.pipe(v.string(), v.url()),
      headers: v.optional(strings),
      verifyTls: v.optional(v.boolean())
    })
  ),
  zones: v.optional(strings, {}),
  hosts: v.optional(strings, {}),
  credentials: v.optional(strings, {}),
  adapter: v.optional(v.string())
})

/** Replaces `${NAME}` by that environment variable, so that no secret need stand in a file. */
function fillIn(text: string, file: string): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = process.env[name]
    if (value === undefined) throw new Failure(`${file} names \${${name}}, which is not set`)
    return JSON.stringify(value).slice(1, -1)
  })
}

const complaint: Complaint = (issue) => `${v.getDotPath(issue) ?? 'the target'}: ${issue.message}`

/** What a file says; a Failure where it does not say it as it should. */
function read<Said>(file: string, parse: (text: string) => Said): Said {
  const text = readFileSync(file, 'utf8')
  try {
    return parse(text)
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure((cause as Error).message)
  }
}

/** A target described in a JSON file. */
export function readTarget(file: string): Target {
  const { adapter, ...target } = read(file, (text) =>
    parseWritten(schema, { text: fillIn(text, file), file, complaint })
  )
  return { ...target, adapter: adapter && resolve(dirname(file), adapter) }
}

function named(asked: string): Target {
  if (/^https?:\/\//.test(asked)) {
    if (!URL.canParse(asked)) throw new Failure(`--target ${asked} is not a URL`)
    const empty = { zones: {}, hosts: {}, credentials: {} }
    return { name: asked, endpoints: { service: { url: asked } }, ...empty }
  }
  const file = [asked, join('targets', `${asked}.json`)].map((at) => resolve(at)).find(existsSync)
  if (file === undefined) {
    throw new Failure(
      `--target ${asked} is neither a URL, nor a file, nor targets/${asked}.json, nor "platform"`
    )
  }
  return readTarget(file)
}

function authorisations(file: string): Authorisation[] {
  if (!existsSync(file)) return []
  return read(file, (text) => parseAuthorisations(text, file))
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
 * Lets a target through with the addresses it was checked for and its caps, or ends the command:
 * only loopback is free to be tested.
 */
export async function permitted(target: Target, file: string): Promise<Target> {
  const given = authorisations(file)
  const addresses = await addressesOf(await orFail(() => hostsOf(target)))
  const known = { authorisations: given, addresses, meterOf }
  const verdict = authorise(target, known, Date.now())
  if (!verdict.allowed) {
    throw new Failure(`${verdict.because} (authorisation file: ${file})`, exit.notAuthorised)
  }
  const endpoints = Object.entries(target.endpoints).map(([name, endpoint]) => {
    return [
      name,
      { ...endpoint, route: verdict.routes[parseAddress(endpoint.url).origin] }
    ] as const
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
export async function openTarget(options: {
  target?: string
  scenarios: string
  authorisation: string
  insecure?: boolean
}): Promise<Running> {
  const own = join(options.scenarios, 'target.json')
  const asked = options.target ?? (existsSync(own) ? own : 'platform')
  if (asked === 'platform') return startEmbedded({ scenarios: options.scenarios })
  const asTold = named(asked)
  for (const { url } of Object.values(asTold.endpoints)) insistOnWebUrl(url)
  const target = await permitted(asTold, resolve(options.authorisation))
  return { target: unverified(target, options), stop: async () => {} }
}
