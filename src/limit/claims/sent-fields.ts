import type { Reply } from '../../client/reply.ts'
import { claimsOf } from './claimed.ts'
import { type Claims, fieldName } from './claims.ts'
import { keptBy } from './kept-time.ts'

/** Fields of an answer beside those about limits that are held to their word. */
const others = ['accept-ranges', 'accept-post', 'accept-patch', 'allow']

/** The names of all fields of an answer that are held to their word, as findings have them. */
export function sentFields({ headers }: Pick<Reply, 'headers'>, nowMs: number): string[] {
  const claims: Claims = claimsOf({ headers }, nowMs)
  const { timeoutMs, max } = keptBy(headers['keep-alive'])
  const fields = [
    ...Object.values(claims).flatMap((some) => some.map(({ field }) => field)),
    ...others.filter((name) => headers[name] !== undefined).map(fieldName),
    ...(timeoutMs === undefined ? [] : ['Keep-Alive: timeout']),
    ...(max === undefined ? [] : ['Keep-Alive: max'])
  ]
  return [...new Set(fields)]
}
