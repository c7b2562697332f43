import type { IncomingHttpHeaders } from 'node:http'
import type { Operation, Tree } from './inlined.ts'

/** The only secret that the servers of these tests know. */
export const secret = 'a-token-of-the-tests'

/** The headers of who may do all. */
export const signedIn = { authorization: `Bearer ${secret}` }

/**
 * Whether a request is signed in, in one way that a file names. `x-lets-in` is what breaks a
 * server: also who shows nothing (`nobody`), or who shows whatever (`anybody`).
 */
export function holds(scheme: Tree, headers: IncomingHttpHeaders): boolean {
  const { type, in: place, name, 'x-lets-in': also } = scheme
  const shows = Object.keys(headers).some((one) => /authorization|key|token/.test(one))
  if (also !== undefined) return shows === (also === 'anybody')
  if (type !== 'apiKey') return headers.authorization === signedIn.authorization
  const given = headers[`${name}`.toLowerCase()]
  return place === 'header' && (given === secret || given === signedIn.authorization)
}

/** Whether a request may do what it asks for: each alternative names all the ways it takes. */
export function isAllowed(
  { security }: Operation,
  schemes: Tree,
  headers: IncomingHttpHeaders
): boolean {
  const isMet = (names: Tree) =>
    Object.keys(names).every((name) => holds(schemes[name] ?? {}, headers))
  return security.length === 0 || security.some(isMet)
}
