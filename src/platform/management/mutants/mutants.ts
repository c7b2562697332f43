import { ownAccount } from '../../kernel/credential.ts'
import type { Mutant, Unenforced } from '../../kernel/mutant.ts'
import type { ManagementRules } from '../rules.ts'
import { authenticationMutants } from './authentication.ts'
import { envelopeMutants } from './envelope.ts'

/** Every known way to break the management API as such. */
export const mutants: readonly Mutant<ManagementRules>[] = [
  ...envelopeMutants,
  {
    name: 'base-address-without-version',
    clause: 'addressing.base-url-suffix',
    description: 'The base address ends in /client.',
    change: { base: '/client' }
  },
  {
    name: 'base-address-with-another-version',
    clause: 'versioning.management-v4',
    description: 'The base address ends in /client/v5, and nothing answers below /client/v4.',
    change: { base: '/client/v5' }
  },
  ...authenticationMutants
]

/** A management API that lets everybody do everything, with bodies of any size. */
export const unenforced: Unenforced<ManagementRules> = {
  limits: { bodyBytes: Infinity },
  identify: () => ({ account: ownAccount, may: () => true }),
  authorise() {},
  isOwn: () => true
}
