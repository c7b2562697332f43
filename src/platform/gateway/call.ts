import { type Fault, invalidRequest } from './fault.ts'
import { membersOf } from './json-text.ts'

/** A call as it was sent: `params` and `id` are JSON in the caller's own writing. */
export type Call = {
  method: string
  /** An array or an object; undefined where there are none. */
  params?: string
  /** Undefined where nobody waits for an answer: the call is a notification. */
  id?: string
}

/** What a node makes of a call: JSON, as the node wrote it. */
export type Outcome = { result: string } | { error: string }

/** Which values the members of a call may have. */
export type Members = Record<'jsonrpc' | 'method' | 'params' | 'id', (value: unknown) => boolean>

/** Those of JSON-RPC 2.0, section 4. */
export const members: Members = {
  jsonrpc: (value) => value === '2.0',
  method: (value) => typeof value === 'string',
  params: (value) => typeof value === 'object' && value !== null,
  id: (value) => value === null || ['string', 'number'].includes(typeof value)
}

const demands: Record<keyof Members, string> = {
  jsonrpc: 'jsonrpc must be the string "2.0"',
  method: 'method must be a string',
  params: 'params must be an array or an object',
  id: 'id must be a string, a number or null'
}
const optional = new Set<string>(['params', 'id'])

/** Reads a call from a value and the text it was written in; a fault comes with the id to tell. */
export function readCall(
  value: unknown,
  { text, isProper }: { text: string; isProper: Members }
): Call | { fault: Fault; id: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { fault: invalidRequest('a call must be an object'), id: 'null' }
  const given = value as Record<keyof Members, unknown>
  const isWrong = (name: keyof Members) =>
    Object.hasOwn(given, name) ? !isProper[name](given[name]) : !optional.has(name)
  const texts = membersOf(text)
  const id = texts.get('id')
  const wrong = (Object.keys(demands) as (keyof Members)[]).find(isWrong)
  if (wrong === undefined)
    return { method: given.method as string, params: texts.get('params'), id }
  return { fault: invalidRequest(demands[wrong]), id: isWrong('id') ? 'null' : (id ?? 'null') }
}
