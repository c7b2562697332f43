import * as v from 'valibot'
import type { Received } from '../http/message.ts'
import { Failure, invalid, malformedBody, tooLarge, wrongType } from './failure.ts'

type Members = Record<string, unknown>

/** Fails unless a body is declared to be JSON, or not declared to be anything. */
export function checkType(type = 'application/json') {
  if (!/^application\/json *(;|$)/i.test(type)) throw wrongType(type)
}

/** The whole body of a request, which fails as soon as it is known to be larger than the limit. */
export async function bytesOf(message: Received, limitBytes: number): Promise<Buffer> {
  if (Number(message.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    // Leaving the loop early must not take the connection down: the failure still has to be told.
    for await (const chunk of message.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length
      if (bytes > limitBytes) throw tooLarge(limitBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof Failure ? error : malformedBody('it ends too early')
  }
  return Buffer.concat(chunks)
}

/** Reads a body that has to be one JSON object in which every name can be relied on. */
export function members(bytes: Buffer): Members {
  const text = decoded(bytes)
  const value = parsed(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformedBody('the body must be an object')
  checkNames(text)
  return value as Members
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw malformedBody('it is not UTF-8')
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformedBody('it does not parse')
  }
}

/**
 * Fails when an object names a member twice, of which `JSON.parse` would keep one in silence, or
 * names one `__proto__`. The text is known to be JSON: a string before a colon is always a name.
 */
function checkNames(text: string) {
  const open: Set<string>[] = []
  for (const [token, string, colon] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (colon !== undefined) {
      const name: string = JSON.parse(string!)
      if (name === '__proto__') throw malformedBody('__proto__ is not a name')
      if (open.at(-1)!.has(name)) throw malformedBody(`${name.slice(0, 100)} is there twice`)
      open.at(-1)!.add(name)
    }
  }
}

/** The value in the form the schema asks for; otherwise fails and names the field that is wrong. */
export function checked<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  throw invalid(complaint(result.issues[0]))
}

/** What is wrong with a value, in words: the field, then the reason. */
export function complaint(issue: v.BaseIssue<unknown>): string {
  return `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`
}
