import { unauthenticated } from '../../kernel/api/failure.ts'
import type { Permission } from '../../kernel/api/operation.ts'
import { type Credentials, ownAccount } from '../../kernel/credential.ts'
import type { Mutant } from '../../kernel/mutant.ts'
import type { Override } from '../../kernel/override.ts'
import { authorise, identify, type Presented } from '../identity.ts'
import type { ManagementRules } from '../rules.ts'

/** A token that may read is let in to whatever asks for this permission, besides. */
const readersMay = (extra: Permission): Override<ManagementRules> => ({
  authorise(identity, permission) {
    if (permission !== extra || !identity.may('zone:read')) authorise(identity, permission)
  }
})

/** A token is taken for the one that was handed out, if this says so. */
const tokensTaken = (isTaken: (token: string, right: string) => boolean) => ({
  identify(presented: Presented, known: Credentials) {
    const token = presented.authorization?.replace(/^Bearer +/i, '') ?? ''
    return isTaken(token, known.token)
      ? { account: ownAccount, may: () => true }
      : identify(presented, known)
  }
})

/** Who presents this is let in to everything beside the right address. */
const besideAddress = (isLetIn: (presented: Presented, known: Credentials) => boolean) => ({
  identify(presented: Presented, known: Credentials) {
    const isBeside = presented.email === known.email && isLetIn(presented, known)
    return isBeside ? { account: ownAccount, may: () => true } : identify(presented, known)
  }
})

/** Whether a token is presented that is this one. */
const bears = ({ authorization = '' }: Presented, token: string) => authorization.endsWith(token)

/** What can be wrong with who is let in. */
export const authenticationMutants: readonly Mutant<ManagementRules>[] = [
  {
    name: 'bearer-token-refused',
    clause: 'auth.bearer',
    description: 'No token is accepted; the legacy pair is.',
    change: {
      identify(presented, known) {
        if (presented.authorization !== undefined) throw unauthenticated()
        return identify(presented, known)
      }
    }
  },
  {
    name: 'bearer-token-finds-no-zone',
    clause: 'auth.bearer',
    description: 'Who bears a token is told of every zone that there is none; the pair finds them.',
    change: {
      identify(presented, known) {
        const identity = identify(presented, known)
        return presented.authorization === undefined ? identity : { ...identity, account: '' }
      }
    }
  },
  {
    name: 'credential-of-another-scheme-is-a-defect',
    clause: 'auth.bearer',
    description: 'An Authorization header that bears no token is answered with 500.',
    change: {
      identify(presented, known) {
        const { authorization = 'Bearer' } = presented
        if (!/^Bearer\b/i.test(authorization)) throw new TypeError('no token')
        return identify(presented, known)
      }
    }
  },
  {
    name: 'legacy-pair-refused',
    clause: 'auth.legacy-pair',
    description: 'The legacy pair is not accepted; tokens are.',
    change: {
      identify(presented, known) {
        if (presented.authorization === undefined) throw unauthenticated()
        return identify(presented, known)
      }
    }
  },
  {
    name: 'missing-credential-served',
    clause: 'auth.missing-credential-refused',
    description: 'A call without any credential is served.',
    change: {
      identify(presented, known) {
        const isBare = Object.values(presented).every((value) => value === undefined)
        return isBare ? { account: ownAccount, may: () => true } : identify(presented, known)
      }
    }
  },
  {
    name: 'token-cut-short-accepted',
    clause: 'auth.bearer',
    description: 'A token is accepted when the one that was handed out begins so.',
    change: tokensTaken((token, right) => token.length > 8 && right.startsWith(token))
  },
  {
    name: 'token-with-more-behind-it-accepted',
    clause: 'auth.bearer',
    description: 'Of a token only as much is compared as the right one is long.',
    change: tokensTaken((token, right) => token.startsWith(right))
  },
  {
    name: 'any-address-beside-the-right-key',
    clause: 'auth.legacy-pair',
    description: 'Of the legacy pair only the key is compared.',
    change: {
      identify: (presented, known) =>
        identify({ ...presented, email: presented.key && known.email }, known)
    }
  },
  {
    name: 'key-of-the-pair-not-compared',
    clause: 'auth.legacy-pair',
    description: 'Of the legacy pair only the address is compared, beside any long key.',
    change: {
      identify(presented, known) {
        const isLong = presented.key?.length === known.apiKey.length
        return identify({ ...presented, key: isLong ? known.apiKey : presented.key }, known)
      }
    }
  },
  {
    name: 'unknown-token-beside-the-right-address',
    clause: 'auth.bearer',
    description: 'A token that nobody was given is accepted beside the right address.',
    change: besideAddress(
      (presented, { readOnlyToken, noPermissionToken }) =>
        presented.authorization !== undefined &&
        ![readOnlyToken, noPermissionToken].some((token) => bears(presented, token))
    )
  },
  {
    name: 'read-only-token-beside-the-right-address-may-write',
    clause: 'auth.permissions-must-match',
    description: 'A token that may read may do everything beside the right address.',
    change: besideAddress((presented, { readOnlyToken }) => bears(presented, readOnlyToken))
  },
  {
    name: 'read-only-token-may-migrate',
    clause: 'auth.permissions-must-match',
    description: 'A token that may only read may update the entry point of the WAF.',
    change: readersMay('waf:write')
  },
  {
    name: 'read-only-token-may-create-jobs',
    clause: 'auth.permissions-must-match',
    description: 'A token that may only read may create log-push jobs.',
    change: readersMay('logs:write')
  },
  {
    name: 'read-only-token-may-change-policies',
    clause: 'auth.permissions-must-match',
    description: 'A token that may only read may turn page protection off.',
    change: readersMay('page-protection:write')
  },
  {
    name: 'zones-of-other-accounts-served',
    clause: 'auth.permissions-must-match',
    besides: ['auth.legacy-pair'],
    description: 'A zone that belongs to another account is served like one’s own.',
    change: { isOwn: () => true }
  },
  {
    name: 'read-only-token-may-write',
    clause: 'auth.permissions-must-match',
    description: 'A token that may read may change everything.',
    change: {
      authorise(identity, permission) {
        if (!identity.may('zone:read')) authorise(identity, permission)
      }
    }
  },
  {
    name: 'token-without-permissions-may-read',
    clause: 'auth.permissions-must-match',
    description: 'A token that may do nothing may read everything.',
    change: {
      authorise(identity, permission) {
        if (!permission.endsWith(':read')) authorise(identity, permission)
      }
    }
  }
]
