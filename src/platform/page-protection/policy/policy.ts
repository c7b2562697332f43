import * as v from 'valibot'
import { message, parseExpression } from '../../expression/expression.ts'
import type { Store } from '../../kernel/store.ts'
import type { PageProtectionLimits } from '../limits.ts'
import { directiveFault } from './directive.ts'

/** What a client says about a CSP policy, as far as the limits let it. */
export function policyFields({
  policyValueCharacters
}: Pick<PageProtectionLimits, 'policyValueCharacters'>) {
  return v.object({
    description: v.string(),
    action: v.picklist(['log', 'allow'], 'must be log or allow'),
    expression: v.pipe(v.string(), faultless(expressionFault)),
    /** A boolean or its string form; it is answered in the form it came in. */
    enabled: v.union(
      [v.boolean(), v.picklist(['true', 'false'])],
      'must be a boolean or its string form'
    ),
    value: v.pipe(
      v.string(),
      faultless((value) => directiveFault(value, policyValueCharacters))
    )
  })
}

/** A CSP policy, with the id the service gave it. */
export type Policy = { id: string } & v.InferOutput<ReturnType<typeof policyFields>>

/** A check that passes a text nothing is wrong with, and otherwise says what is. */
function faultless(faultOf: (text: string) => string | undefined) {
  return v.rawCheck<string>(({ dataset, addIssue }) => {
    const fault = dataset.typed ? faultOf(dataset.value) : undefined
    if (fault !== undefined) addIssue({ message: fault })
  })
}

function expressionFault(source: string): string | undefined {
  const parsed = parseExpression(source)
  return parsed.ok ? undefined : message(parsed.failure).trimEnd()
}

type Row = { record: string }

/** Counts the changes of each zone's policies, for a store's schema; a zone's id may come again. */
export const revisionTable = `
  CREATE TABLE policy_revision (zone TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT;
  INSERT INTO policy_revision SELECT DISTINCT zone, 1 FROM policy;
  ${(['INSERT', 'UPDATE', 'DELETE'] as const)
    .map(
      (change) => `CREATE TRIGGER policy_revision_${change} AFTER ${change} ON policy BEGIN
        INSERT INTO policy_revision VALUES (${change === 'DELETE' ? 'old' : 'new'}.zone, 1)
          ON CONFLICT DO UPDATE SET revision = revision + 1;
      END;`
    )
    .join('\n')}`

/** A number that is another after each change of a zone's policies; undefined before the first. */
export function revisionOf(store: Store, zone: string): number | undefined {
  const sql = 'SELECT revision FROM policy_revision WHERE zone = ?'
  return store.first<{ revision: number }>(sql, zone)?.revision
}

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
