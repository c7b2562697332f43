import { createHash } from 'node:crypto'
import type { Reply } from '../client/reply.ts'

/** What changes from one answer to the next though they say the same: numbers, times, ids. */
const changing = /\b[0-9a-f]{8,}\b|\d+/gi

/** The names and types in a JSON value, as deep as objects go. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return ['array']
  if (typeof value !== 'object' || value === null) return typeof value
  const names = Object.keys(value).sort()
  return names.map((name) => [name, shapeOf((value as Record<string, unknown>)[name])])
}

/**
 * What a body is like, so that two of the same form say the same: of JSON which names it has and of
 * what types, of text a digest of what is neither number nor identifier, of what is neither its
 * size.
 */
export function formOf({ json, body, received, headers }: Reply): string {
  if (json !== undefined) return JSON.stringify(shapeOf(json))
  if (body.includes('\uFFFD') || headers['content-encoding']) return `${received} bytes`
  return createHash('sha256').update(body.replaceAll(changing, '#')).digest('base64url')
}
