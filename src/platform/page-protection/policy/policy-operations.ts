import * as v from 'valibot'
import { checked } from '../../kernel/api/body.ts'
import { invalid, unknownObject } from '../../kernel/api/failure.ts'
import type { Call, Operation } from '../../kernel/api/operation.ts'
import { newId } from '../../kernel/id.ts'
import type { PageProtectionLimits } from '../limits.ts'
import {
  deletePolicy,
  listPolicies,
  type Policy,
  policyFields,
  readPolicy,
  writePolicy
} from './policy.ts'
import { roomFault } from './room.ts'

const all = '/zones/:zone/page_shield/policies'
const one = `${all}/:id`
const reading = 'page-protection:read'
const writing = 'page-protection:write'

type Own = { limits: PageProtectionLimits }

/** Fails when the zone would have too much with this policy, be it new or a changed one. */
function checkRoom({ store, zone, rules }: Call<Own>, policy: Policy) {
  const before = listPolicies(store, zone.id)
  const after = [...before.filter(({ id }) => id !== policy.id), policy]
  const fault = roomFault({ before, after }, rules.limits)
  if (fault !== undefined) throw invalid(fault)
}

function found({ store, zone, id, path }: Call) {
  const policy = readPolicy(store, zone.id, id.toLowerCase())
  if (policy === undefined) throw unknownObject(path)
  return policy
}

/** Everything that can be done with CSP policies, by the clauses that promise it. */
export const policyOperations = {
  'policy.list': {
    method: 'GET',
    path: all,
    permission: reading,
    run: ({ store, zone }) => ({ result: listPolicies(store, zone.id) })
  },
  'policy.get': {
    method: 'GET',
    path: one,
    permission: reading,
    run: (call) => ({ result: found(call) })
  },
  'policy.create': {
    method: 'POST',
    path: all,
    permission: writing,
    run(call) {
      const { store, zone, body, rules } = call
      const policy = { id: newId(), ...checked(policyFields(rules.limits), body) }
      checkRoom(call, policy)
      writePolicy(store, zone.id, policy)
      return { result: policy }
    }
  },
  'policy.update': {
    method: 'PUT',
    path: one,
    permission: writing,
    run(call) {
      const changes = checked(v.partial(policyFields(call.rules.limits)), call.body)
      const policy = { ...found(call), ...changes }
      checkRoom(call, policy)
      writePolicy(call.store, call.zone.id, policy)
      return { result: policy }
    }
  },
  'policy.delete': {
    method: 'DELETE',
    path: one,
    permission: writing,
    run(call) {
      const { id } = found(call)
      deletePolicy(call.store, call.zone.id, id)
      return { result: { id } }
    }
  }
} satisfies Record<string, Operation<Own>>
