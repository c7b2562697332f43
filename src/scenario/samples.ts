import fs from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { Blocked } from './blocked.ts'
import { orNearest } from './nearest.ts'

// As Node has it: a thread that reads scenarios takes a later one for a scenario's own question.
const { existsSync, readFileSync } = fs

const make = v.strictObject({ by: v.string(), take: v.record(v.string(), v.string()) })
const operation = v.strictObject({
  set: v.optional(v.record(v.string(), v.unknown()), {}),
  fresh: v.optional(v.array(v.string()), []),
  make: v.optional(make),
  remove: v.optional(v.string()),
  skip: v.optional(v.string())
})
const identity = v.union(
  [v.string(), v.strictObject({ header: v.string(), scopes: v.array(v.string()) })],
  'neither a credential nor { header: …, scopes: [ … ] }'
)
const schema = v.strictObject({
  parameters: v.optional(v.nullable(v.record(v.string(), v.unknown())), {}),
  identities: v.optional(v.nullable(v.record(v.string(), identity)), {}),
  operations: v.optional(v.nullable(v.record(v.string(), operation)), {})
})

/** How a thing is made that a request is about, and what is taken of the answer, by place. */
export type Making = v.InferOutput<typeof make>

/** What a person says of one operation. */
export type OperationSamples = v.InferOutput<typeof operation>

/** A credential as it stands in its header, and the scopes it has: none where it is a text. */
export type Identity = v.InferOutput<typeof identity>

/** What a document does not say and a person does: ids, identities, how to make a thing. */
export type Samples = {
  /** The name of the file. */
  file: string
  parameters: Record<string, unknown>
  identities: Record<string, Identity>
  operations: Record<string, OperationSamples>
}

const asObject = '"parameters", "identities" and "operations" should be'

/** Nobody writes more by hand: what is larger is none of these files. */
const mostBytes = 1_048_576

/** The file, and whether all that it names has to be set. */
type Filling = { file: string; isFilled: boolean }

/** Replaces `${NAME}` in every text by that environment variable. */
function filledIn(value: unknown, { file, isFilled }: Filling, around: unknown[] = []): unknown {
  if (around.includes(value)) throw new Error(`${file}: an alias stands for what it is within`)
  if (typeof value === 'string') {
    return value.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
      const found = process.env[name]
      if (found === undefined && !isFilled) return ''
      if (found === undefined) throw new Error(`${file} names \${${name}}, which is not set`)
      return found
    })
  }
  if (value === null || typeof value !== 'object') return value
  const within = (one: unknown) => filledIn(one, { file, isFilled }, [...around, value])
  if (Array.isArray(value)) return value.map(within)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, within(one)]))
}

/** What is parsed of a file; throws an Error that names it and the line, and the usual mistake. */
function parsed(parse: () => unknown, file: string): unknown {
  try {
    return parse()
  } catch (cause) {
    const [why = ''] = (cause as Error).message.split(/:?\n/)
    const help = helpWith(why)
    throw new Error(`${file} cannot be read: ${help.at(0) ?? why}; ${help.at(1) ?? usualMistake}`)
  }
}

const usualMistake = `within braces "\${NAME}" takes quotes`

/** What a reader of YAML says, in words for who wrote it, and the fix; none where it is plain. */
function helpWith(why: string): [why?: string, fix?: string] {
  if (/alias count/.test(why)) return ['its aliases stand for too much', 'write it out']
  if (/multiple documents/.test(why)) return ['it has a second document', 'remove the line "---"']
  if (/unique/.test(why))
    return [why.replace('Map keys must be unique', 'a key comes twice'), 'keep one']
  if (/call stack/.test(why)) return ['it is nested too deep', 'write less']
  return []
}

/** The fields there are, of which one may be meant. */
const fields = [
  ...['parameters', 'identities', 'operations', 'set', 'fresh', 'make', 'remove', 'skip'],
  ...['by', 'take', 'header', 'scopes']
]

/** What is wrong with a file, by its first issue. */
function complaint(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue) ?? 'the file'
  if (issue.type !== 'strict_object' || issue.expected !== 'never')
    return `${path}: ${issue.message}`
  const key = String(issue.path?.at(-1)?.key)
  return `${path}: there is no field "${key}"${orNearest(key, fields)}`
}

/** What a `samples.yaml` says; throws an Error that names the file and the field. */
export async function parseSamples(
  text: string,
  file: string,
  { isFilled = true }: { isFilled?: boolean } = {}
): Promise<Samples> {
  if (Buffer.byteLength(text) > mostBytes) throw new Error(`${file} is larger than 1 MiB`)
  // Every scenario has this module, and hardly one a file to be read.
  const { parse } = await import('yaml')
  const written = parsed(() => parse(text, { maxAliasCount: 100 }), file) ?? {}
  const read = filledIn(written, { file, isFilled })
  if (Array.isArray(read)) throw new Error(`${file}: the file: a list, where ${asObject}`)
  const result = v.safeParse(schema, read)
  if (!result.success) {
    throw new Error(`${file}: ${complaint(result.issues[0])}`)
  }
  const { parameters, identities, operations } = result.output
  return {
    file,
    parameters: parameters ?? {},
    identities: identities ?? {},
    operations: operations ?? {}
  }
}

const known = new Map<string, Promise<Samples>>()

/** The samples of a file, read once in a thread; none where it is not there. */
export function samplesIn(url: URL): Promise<Samples> {
  const place = fileURLToPath(url)
  const file = basename(place)
  const none = { file, parameters: {}, identities: {}, operations: {} }
  const read = async () =>
    existsSync(place) ? parseSamples(readFileSync(place, 'utf8'), file) : none
  const samples = known.get(place) ?? read()
  known.set(place, samples)
  return samples
}

/**
 * Each credential of samples that no way to be let in takes: each way is a list of scopes, all of
 * which it asks for. Throws Blocked where there is none, and says what would be one.
 */
export function credentialsLacking(
  ways: readonly (readonly string[])[],
  { identities, file }: Pick<Samples, 'identities' | 'file'>
): string[] {
  const all = Object.values(identities).map((one) =>
    typeof one === 'string' ? { header: one, scopes: [] } : one
  )
  if (all.length === 0) throw new Blocked(`identities.limited is missing in ${file}`)
  const lacking = all.filter(
    ({ scopes }) => !ways.some((way) => way.every((scope) => scopes.includes(scope)))
  )
  if (lacking.length > 0) return lacking.map(({ header }) => header)
  const asked = ways.map((way) => way.join(' and ')).join(', or ')
  throw new Blocked(`each of the identities in ${file} is for ${asked}: add one that is not`)
}
