import fc from 'fast-check'
import type { Operation, Tree } from './inlined.ts'

/** What is answered: a text where it is no JSON. */
export type Answer = { status: number; headers: Record<string, string>; body?: string }

/** Texts that are what a format says. */
const formatted: Record<string, string> = {
  'date-time': '2026-11-23T12:00:00Z',
  ...{ date: '2026-11-23', time: '12:00:00Z', duration: 'P1D' },
  ...{ email: 'jo@example.com', hostname: 'example.com', ipv4: '192.0.2.1', ipv6: '2001:db8::1' },
  ...{ uri: 'https://example.com/a', url: 'https://example.com/a', 'uri-template': '/a/{b}' },
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  byte: 'YQ=='
}

/** How deep a sample goes where a schema does not ask for more. */
const deepest = 5

/** A value that a schema accepts, always the same one. */
export function sampleOf(schema: Tree | boolean | undefined, depth = 0): any {
  if (schema === undefined || typeof schema === 'boolean') return 'a'
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum.find((one: unknown) => one !== null) ?? null
  if (schema.allOf !== undefined) return sampleOf(merged(schema), depth)
  const [choice] = schema.oneOf ?? schema.anyOf ?? []
  if (choice !== undefined) {
    const { oneOf: _, anyOf: __, ...rest } = schema
    return sampleOf(merged({ allOf: [rest, choice] }), depth)
  }
  const type = Array.isArray(schema.type)
    ? schema.type.find((one: string) => one !== 'null')
    : schema.type
  if (type === 'object' || schema.properties !== undefined) return objectOf(schema, depth)
  if (type === 'array') {
    const count = Math.max(schema.minItems ?? 0, depth < deepest && schema.maxItems !== 0 ? 1 : 0)
    return Array.from({ length: count }, () => sampleOf(schema.items, depth + 1))
  }
  if (type === 'integer' || type === 'number') return numberOf(schema)
  if (type === 'boolean') return true
  if (type === 'null') return null
  return type === 'string' ? textOf(schema) : (schema.example ?? 'a')
}

/** Several schemas that all have to accept a value, as one. */
function merged({ allOf = [], ...rest }: Tree): Tree {
  const all: Tree[] = [...allOf.map((one: Tree) => (one.allOf ? merged(one) : one)), rest]
  const properties = Object.assign({}, ...all.map((one) => one.properties))
  const required = all.flatMap((one) => one.required ?? [])
  const isObject = Object.keys(properties).length > 0
  return {
    ...Object.assign({}, ...all),
    ...(isObject && { properties }),
    ...(required.length > 0 && { required })
  }
}

function objectOf({ properties = {}, required = [] }: Tree, depth: number): Tree {
  const named = Object.keys(properties).filter((name) => depth < deepest || required.includes(name))
  const all = new Set([...named, ...required])
  return Object.fromEntries([...all].map((name) => [name, sampleOf(properties[name], depth + 1)]))
}

function numberOf({ minimum = -Infinity, maximum = Infinity, ...schema }: Tree): number {
  const step = schema.multipleOf ?? 1
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema
  const least = typeof above === 'number' ? above + step : above === true ? minimum + step : minimum
  const most = typeof below === 'number' ? below - step : below === true ? maximum - step : maximum
  return Math.ceil(Math.min(Math.max(1, least), most) / step) * step
}

function textOf({ pattern, format, minLength = 0, maxLength = Infinity }: Tree): string {
  if (format !== undefined && formatted[format] !== undefined) return formatted[format]
  if (pattern === undefined) return 'a'.repeat(Math.min(Math.max(minLength, 1), maxLength))
  const texts = fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { numRuns: 200, seed: 1 })
  return texts.find((text) => text.length >= minLength && text.length <= maxLength) ?? texts[0]!
}

/** What an operation answers that has taken a request: what was sent, where it has a place. */
export function answerOf({ piece }: Operation, sent?: unknown): Answer {
  const all = Object.entries<Tree>(piece.responses ?? {})
  const [status, response] = all.find(([code]) => /^[23]/.test(code)) ?? ['200', {}]
  const code = /^\d{3}$/.test(status) ? Number(status) : 200
  const headers = Object.fromEntries(
    Object.entries<Tree>(response.headers ?? {}).map(([name, { schema }]) => {
      return [name.toLowerCase(), `${sampleOf(schema)}`]
    })
  )
  const [type, content] = Object.entries<Tree>(response.content ?? {})[0] ?? []
  if (type === undefined || content === undefined) return { status: code, headers }
  const typed = { ...headers, 'content-type': type }
  if (!/json/.test(type)) return { status: code, headers: typed, body: 'a' }
  const body = content.schema === undefined ? {} : sampleOf(content.schema)
  return { status: code, headers: typed, body: JSON.stringify(kept(body, sent)) }
}

/** What a request is answered that is refused, as its operation says where it does. */
export function refusal(status: number, detail: string, piece: Tree = {}): Answer {
  const { responses = {} } = piece
  const documented = responses[status] ?? responses['4XX'] ?? responses.default
  const [type, content] = Object.entries<Tree>(documented?.content ?? {})[0] ?? []
  if (content?.schema !== undefined && /json/.test(type!)) {
    return {
      status,
      headers: { 'content-type': type! },
      body: JSON.stringify(sampleOf(content.schema))
    }
  }
  const headers = { 'content-type': 'application/problem+json' }
  return { status, headers, body: JSON.stringify({ detail }) }
}

/** A sample with those texts, numbers and flags that were sent under the same name. */
function kept(sample: any, sent: any): any {
  if (!isObject(sample) || !isObject(sent)) return sample
  return Object.fromEntries(
    Object.entries(sample).map(([name, value]) => {
      const isAlike = typeof value === typeof sent[name] && typeof value !== 'object'
      return [name, isAlike ? sent[name] : isObject(value) ? kept(value, sent[name]) : value]
    })
  )
}

const isObject = (value: unknown): value is Tree =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
