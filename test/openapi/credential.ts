import type { IncomingHttpHeaders } from 'node:http'
import type { Operation, Tree } from './inlined.ts'

/** The headers of who may do all. */
export const signedIn = { authorization: 'Bearer a-token-of-the-tests' }

/** The headers of who is known, and may do nothing that takes a scope. */
export const limited = { authorization: 'Bearer a-token-without-scopes' }

/** Whom a way to sign in lets in that is broken: nobody else, if it is not said. */
export type LetIn = 'nobody' | 'anybody' | 'altered' | 'limited'

const isCutOrLonger = (given: string, right: string) =>
  given !== right && (given.startsWith(right) || right.startsWith(given))

/**
 * Whether a request is signed in, in one way that a file names, with these scopes: 200, else the
 * status of the refusal.
 */
export function standing(scheme: Tree, scopes: readonly string[], headers: IncomingHttpHeaders) {
  const { type, in: place, name, 'x-lets-in': also } = scheme
  const given =
    type === 'apiKey' && place === 'header'
      ? headers[`${name}`.toLowerCase()]
      : headers.authorization
  const isLimited = given === limited.authorization
  if (also === 'limited') return isLimited ? 200 : 401
  const isAltered = given !== undefined && isCutOrLonger(`${given}`, signedIn.authorization)
  if (also === 'altered') return isAltered ? 200 : 401
  if (also === 'anybody') return given !== undefined && !isLimited && !isAltered ? 200 : 401
  if (also === 'nobody') return given === undefined ? 200 : 401
  if (isLimited) return scopes.length === 0 ? 200 : 403
  return given === signedIn.authorization ? 200 : 401
}

/**
 * The status of the refusal of a request that may not do what it asks for, else 200: each
 * alternative names all the ways to sign in that it takes.
 */
export function admission(
  { security }: Operation,
  schemes: Tree,
  headers: IncomingHttpHeaders
): number {
  if (security.length === 0) return 200
  const statuses = security.map((names) =>
    Object.entries(names).map(([name, scopes]) => standing(schemes[name] ?? {}, scopes, headers))
  )
  if (statuses.some((all) => all.every((status) => status === 200))) return 200
  return statuses.flat().includes(403) ? 403 : 401
}
