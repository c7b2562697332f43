import { unauthenticated } from '../../kernel/api/failure.ts'
import { ownAccount } from '../../kernel/credential.ts'
import type { Mutant } from '../../kernel/mutant.ts'
import { authorise, identify } from '../identity.ts'
import type { ManagementRules } from '../rules.ts'

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
