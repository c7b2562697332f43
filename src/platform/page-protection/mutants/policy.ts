import { invalid } from '../../kernel/api/failure.ts'
import type { Call } from '../../kernel/api/operation.ts'
import { mistyped } from '../../kernel/api/wrong-operation.ts'
import type { Mutant } from '../../kernel/mutant.ts'
import { override } from '../../kernel/override.ts'
import { allZones, type Zone } from '../../kernel/zone.ts'
import { deletePolicy, readPolicy, writePolicy } from '../policy/policy.ts'
import type { PageProtectionRules } from '../rules.ts'
import { instead, missing, operationsOf, spoiled, unavailable } from './operation.ts'

const [list, get, create, update, remove] = [
  'policy.list',
  'policy.get',
  'policy.create',
  'policy.update',
  'policy.delete'
] as const
const shown = [list, get, create, update]

const fields = ['id', 'description', 'action', 'expression', 'enabled', 'value']

/** Who creates a policy is given its id. */
const besidesOf = (field: string) => field === 'id' && { besides: [create] }

const missingFields = fields.map(
  (field): Mutant<PageProtectionRules> => ({
    name: `policy-${field}-missing`,
    clause: `policy.field.${field}`,
    ...besidesOf(field),
    description: `A policy has no ${field}.`,
    change: missing(shown, field)
  })
)

// A string is a proper form of `enabled`, so that one cannot merely be of the wrong type.
const mistypedFields = fields
  .filter((field) => field !== 'enabled')
  .map(
    (field): Mutant<PageProtectionRules> => ({
      name: `policy-${field}-wrong-type`,
      clause: `policy.field.${field}`,
      ...besidesOf(field),
      description: `A policy's ${field} is a number.`,
      change: spoiled(shown, field, mistyped)
    })
  )

const operations = operationsOf('policy.').map(
  (name): Mutant<PageProtectionRules> => ({
    name: `${name.replace('.', '-')}-unavailable`,
    clause: name,
    description: `The operation ${name.replace('.', ' ')} is answered with 404.`,
    change: unavailable(name)
  })
)

const anyIds = {
  operations: Object.fromEntries(
    operationsOf('policy.').map((name) => [name, { isId: (text: string) => /^[\w-]+$/.test(text) }])
  )
}

/** Policies that are called something else outside than they are inside. */
const renamed = (prefix: string) =>
  instead(operationsOf('policy.'), (call, run) => {
    const { result } = run({ ...call, id: call.id.replace(prefix, '') })
    const rename = (policy: any) => ({ ...policy, id: prefix + policy.id })
    return { result: Array.isArray(result) ? result.map(rename) : rename(result) }
  })

/** The zone that has the policy which is called for, or else the one that is called. */
function ownerOf({ store, zone, id }: Call): Zone {
  return allZones(store).find((one) => readPolicy(store, one.id, id)) ?? zone
}

/** What can be wrong with CSP policies, as far as the management API shows it. */
export const policyMutants: readonly Mutant<PageProtectionRules>[] = [
  ...missingFields,
  ...mistypedFields,
  ...operations,
  {
    name: 'policy-enabled-not-a-boolean',
    clause: 'policy.field.enabled',
    description: 'A policy is enabled "on" or "off".',
    change: spoiled(shown, 'enabled', (value) => (String(value) === 'true' ? 'on' : 'off'))
  },
  {
    name: 'policy-action-of-another-kind',
    clause: 'policy.field.action',
    description: 'A policy with action allow is said to have action block.',
    change: spoiled(shown, 'action', (value) => (value === 'allow' ? 'block' : value))
  },
  {
    name: 'policy-value-of-scripts-only',
    clause: 'policy.field.value',
    description: 'A policy whose value is about anything but scripts is refused.',
    change: instead([create], (call, run) => {
      if (/(style|img|font|media)-src/.test(`${call.body.value}`)) throw invalid('value: no')
      return run(call)
    })
  },
  {
    name: 'policy-list-as-object',
    clause: list,
    description: 'The list of policies is an object with the list in it.',
    change: instead([list], (call, run) => ({ result: { policies: run(call).result } }))
  },
  {
    name: 'policy-get-as-list',
    clause: get,
    description: 'Reading a policy returns an array with it.',
    change: instead([get], (call, run) => ({ result: [run(call).result] }))
  },
  {
    name: 'policy-create-returns-only-the-id',
    clause: 'policy.create-echoes-fields',
    description: 'Creating a policy returns its id and nothing of what was sent.',
    change: instead([create], (call, run) => {
      const { id } = run(call).result as { id: string }
      return { result: { id } }
    })
  },
  {
    name: 'policy-create-forgets-the-expression',
    clause: 'policy.create-get-equal',
    description:
      'A policy is returned as sent when it is created, and kept without its expression.',
    change: instead([create], (call, run) => {
      const { result } = run(call)
      writePolicy(call.store, call.zone.id, { ...(result as any), expression: '' })
      return { result }
    })
  },
  {
    name: 'policy-list-misses-the-newest',
    clause: 'policy.list-contains-created',
    description: 'The list of policies ends before the newest one.',
    change: instead([list], (call, run) => ({ result: (run(call).result as []).slice(0, -1) }))
  },
  {
    name: 'policy-list-keeps-deleted-ones',
    clause: 'policy.list-contains-created',
    description: 'A deleted policy can no longer be read, but stays in the list.',
    change: instead([remove], (call, run) => {
      const { id, zone } = call
      if (readPolicy(call.store, zone.id, id) === undefined) return run(call)
      call.store.run('UPDATE policy SET id = ? WHERE zone = ? AND id = ?', `-${id}`, zone.id, id)
      return { result: { id } }
    })
  },
  {
    name: 'policy-update-has-no-effect',
    clause: 'policy.update-visible',
    description: 'Updating a policy is answered as done, and it stays what it was.',
    change: instead([update], (call, run) => {
      const before = readPolicy(call.store, call.zone.id, call.id)
      const payload = run(call)
      writePolicy(call.store, call.zone.id, before!)
      return payload
    })
  },
  {
    name: 'policy-update-deletes-the-policy',
    clause: update,
    description: 'Updating a policy is answered as done, and the policy is gone.',
    change: instead([update], (call, run) => {
      const payload = run(call)
      deletePolicy(call.store, call.zone.id, call.id)
      return payload
    })
  },
  {
    name: 'policy-delete-has-no-effect',
    clause: remove,
    description: 'Deleting a policy is answered as done, and it stays.',
    change: instead([remove], ({ id }) => ({ result: { id } }))
  },
  {
    name: 'policy-description-without-quotes',
    clause: 'policy.create-echoes-fields',
    description: 'A policy is created, and kept, without the quotes in its description.',
    change: instead([create], (call, run) => {
      const { description } = call.body
      const bare = String(description).replaceAll(/["'“”]/g, '')
      return run({ ...call, body: { ...call.body, description: bare } })
    })
  },
  {
    name: 'policy-update-keeps-the-action',
    clause: 'policy.update-visible',
    description: 'An update changes everything of a policy but its action.',
    change: instead([update], (call, run) => {
      const { action: _, ...body } = call.body
      return run({ ...call, body })
    })
  },
  {
    name: 'policy-list-shows-them-off',
    clause: list,
    description: 'In the list every policy is switched off, as most are.',
    change: spoiled([list], 'enabled', () => 'false')
  },
  {
    name: 'policy-read-in-every-zone',
    clause: get,
    description: 'A policy can be read by way of any zone.',
    change: instead([get], (call, run) => run({ ...call, zone: ownerOf(call) }))
  },
  {
    name: 'policy-updated-in-every-zone',
    clause: update,
    description: 'A policy can be updated by way of any zone.',
    change: instead([update], (call, run) => run({ ...call, zone: ownerOf(call) }))
  },
  {
    name: 'policy-deleted-in-every-zone',
    clause: remove,
    description: 'A policy can be deleted by way of any zone.',
    change: instead([remove], (call, run) => run({ ...call, zone: ownerOf(call) }))
  },
  {
    name: 'policy-list-of-all-zones',
    clause: 'policy.list-contains-created',
    description: 'The list of policies has those of every zone.',
    change: instead([list], (call, run) => ({
      result: allZones(call.store).flatMap((zone) => run({ ...call, zone }).result as object[])
    }))
  },
  {
    name: 'policy-ids-not-hex',
    clause: 'addressing.path-params-hex',
    description: 'Policies have ids, and paths with them, that are no hexadecimal strings.',
    change: override(renamed('policy-'), anyIds)
  }
]
