import { hash, timingSafeEqual } from 'node:crypto'
import { forbidden, malformedCredential, unauthenticated } from '../kernel/api/failure.ts'
import type { Permission } from '../kernel/api/operation.ts'
import { type Credentials, ownAccount } from '../kernel/credential.ts'
import type { Zone } from '../kernel/zone.ts'

/** Who is calling: the account, and whether it allows the caller to do something. */
export type Identity = { account: string; may: (permission: Permission) => boolean }

/** The headers a caller can prove itself with; undefined when not sent. */
export type Presented = { authorization?: string; email?: string; key?: string }

const anything: Identity['may'] = () => true

/** Finds out who is calling; fails for anyone the platform gave no credential to. */
export function identify(presented: Presented, known: Credentials): Identity {
  const { authorization, email = '', key = '' } = presented
  if (authorization === undefined) {
    const isPair = [isEqual(email, known.email), isEqual(key, known.apiKey)].every(Boolean)
    if (isPair) return { account: ownAccount, may: anything }
    throw unauthenticated()
  }
  const [, token] = /^Bearer +(\S+) *$/i.exec(authorization) ?? []
  if (token === undefined) throw malformedCredential()
  const grants: [string, Identity['may']][] = [
    [known.token, anything],
    [known.readOnlyToken, (permission) => permission.endsWith(':read')],
    [known.noPermissionToken, () => false]
  ]
  // Every token is compared, and each in constant time: how long it takes tells nothing.
  const [grant] = grants.filter(([secret]) => isEqual(token, secret))
  if (grant === undefined) throw unauthenticated()
  return { account: ownAccount, may: grant[1] }
}

/** Fails unless the caller holds the permission. */
export function authorise(identity: Identity, permission: Permission) {
  if (!identity.may(permission)) throw forbidden()
}

/** Whether a zone is in the caller's account. */
export function isOwn(identity: Identity, zone: Zone): boolean {
  return zone.account === identity.account
}

function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer')
  return timingSafeEqual(digest(one), digest(other))
}
