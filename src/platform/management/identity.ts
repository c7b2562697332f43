import { hash, timingSafeEqual } from 'node:crypto'
import { forbidden, malformedCredential, unauthenticated } from '../kernel/api/failure.ts'
import { type Permission, permissions } from '../kernel/api/permission.ts'
import type { Credentials } from '../kernel/credential.ts'

/** Who is calling: the account, and what it allows the caller to do. */
export type Identity = { account: string; permissions: readonly Permission[] }

/** The headers a caller can prove itself with; undefined when not sent. */
export type Presented = { authorization?: string; email?: string; key?: string }

/** The account that all of the platform's credentials belong to. */
export const ownAccount = 'owner'

/** Finds out who is calling; fails for anyone the platform gave no credential to. */
export function identify(presented: Presented, known: Credentials): Identity {
  const { authorization, email = '', key = '' } = presented
  if (authorization === undefined) {
    const isPair = [isEqual(email, known.email), isEqual(key, known.apiKey)].every(Boolean)
    if (isPair) return { account: ownAccount, permissions }
    throw unauthenticated()
  }
  const [, token] = /^Bearer +(\S+) *$/i.exec(authorization) ?? []
  if (token === undefined) throw malformedCredential()
  const reading = permissions.filter((name) => name.endsWith(':read'))
  const grants: [string, readonly Permission[]][] = [
    [known.token, permissions],
    [known.readOnlyToken, reading],
    [known.noPermissionToken, []]
  ]
  // Every token is compared, and each in constant time: how long it takes tells nothing.
  const [grant] = grants.filter(([secret]) => isEqual(token, secret))
  if (grant === undefined) throw unauthenticated()
  return { account: ownAccount, permissions: grant[1] }
}

/** Fails unless the caller holds the permission. */
export function authorise(identity: Identity, permission: Permission) {
  if (!identity.permissions.includes(permission)) throw forbidden()
}

function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer')
  return timingSafeEqual(digest(one), digest(other))
}
