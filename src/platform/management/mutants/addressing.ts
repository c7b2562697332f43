import { instead } from '../../kernel/api/wrong-operation.ts'
import { idOf } from '../../kernel/id.ts'
import type { Override } from '../../kernel/override.ts'
import type { Mutant } from '../../mutants.ts'
import type { Rules } from '../../rules.ts'

const anyId: Partial<Rules> = { isId: (text) => /^[\w-]+$/.test(text) }

/** Policies that are called something else outside than they are inside. */
const renamed = (prefix: string): Override<Rules> => ({
  ...anyId,
  ...instead(
    ['policy.list', 'policy.get', 'policy.create', 'policy.update', 'policy.delete'],
    (call, run) => {
      const { result } = run({ ...call, id: call.id.replace(prefix, '') })
      const rename = (policy: any) => ({ ...policy, id: prefix + policy.id })
      return { result: Array.isArray(result) ? result.map(rename) : rename(result) }
    }
  )
})

/** What can be wrong with where things are found. */
export const addressingMutants: readonly Mutant[] = [
  {
    name: 'zone-ids-not-hex',
    clause: 'addressing.zone-id-hex',
    description: 'Zones have ids that are no hexadecimal strings.',
    change: { ...anyId, zoneId: (name) => `zone-${idOf(name)}` }
  },
  {
    name: 'policy-ids-not-hex',
    clause: 'addressing.path-params-hex',
    description: 'Policies have ids, and paths with them, that are no hexadecimal strings.',
    change: renamed('policy-')
  },
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
  }
]
