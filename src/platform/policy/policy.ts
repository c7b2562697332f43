import * as v from 'valibot'
import type { Store } from '../store.ts'

/** What a client says about a CSP policy. */
export const policyFields = v.object({
  description: v.string(),
  action: v.picklist(['log', 'allow'], 'must be log or allow'),
  expression: v.string(),
  /** A boolean or its string form; it is answered in the form it came in. */
  enabled: v.union(
    [v.boolean(), v.picklist(['true', 'false'])],
    'must be a boolean or its string form'
  ),
  value: v.string()
})

/** A CSP policy, with the id the service gave it. */
export type Policy = { id: string } & v.InferOutput<typeof policyFields>

type Row = { record: string }

/** All policies of a zone, oldest first. */
export function listPolicies(store: Store, zone: string): Policy[] {
  const rows = store.all<Row>('SELECT record FROM policy WHERE zone = ? ORDER BY seq', zone)
  return rows.map(({ record }) => JSON.parse(record))
}

/** The policy of a zone with this id, if there is one. */
export function readPolicy(store: Store, zone: string, id: string): Policy | undefined {
  const row = store.first<Row>('SELECT record FROM policy WHERE zone = ? AND id = ?', zone, id)
  return row && JSON.parse(row.record)
}

/** Adds a policy to a zone, or replaces the one that has its id; its place in the list stays. */
export function writePolicy(store: Store, zone: string, policy: Policy) {
  store.run(
    `INSERT INTO policy (zone, id, record) VALUES (?, ?, ?)
     ON CONFLICT (zone, id) DO UPDATE SET record = excluded.record`,
    ...[zone, policy.id, JSON.stringify(policy)]
  )
}

/** Deletes a policy; false when there is none with this id. */
export function deletePolicy(store: Store, zone: string, id: string): boolean {
  return store.run('DELETE FROM policy WHERE zone = ? AND id = ?', zone, id) === 1
}
