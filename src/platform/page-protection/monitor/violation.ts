import type { Store } from '../../kernel/store.ts'
import type { Fields } from '../../logpush/record.ts'
import type { Violation } from './report.ts'

/** How often one thing violated one policy. */
export type ViolationCount = Pick<Violation, 'blocked' | 'directive' | 'disposition'> & {
  policy: string
  count: number
}

/** Counts a violation of a policy; one that is new is left out when there are as many as `most`. */
export function countViolation(
  store: Store,
  { zone, policy, violation }: { zone: string; policy: string; violation: Violation },
  most: number
) {
  const { blocked, directive, disposition } = violation
  const key = [zone, policy, blocked, directive, disposition]
  const again = store.run(
    `UPDATE violation SET count = count + 1
     WHERE zone = ? AND policy = ? AND blocked = ? AND directive = ? AND disposition = ?`,
    ...key
  )
  const isFull = 'SELECT 1 FROM violation WHERE zone = ? LIMIT 1 OFFSET ?'
  if (again > 0 || store.first(isFull, zone, most - 1) !== undefined) return
  store.run('INSERT INTO violation VALUES (?, ?, ?, ?, ?, 1)', ...key)
}

/** What violated the policies of a zone. */
export function listViolations(store: Store, zone: string): ViolationCount[] {
  return store.all<ViolationCount>(
    `SELECT policy, blocked, directive, disposition, count FROM violation
     WHERE zone = ? ORDER BY policy, directive, blocked, disposition`,
    zone
  )
}

/** What the log record of a violation of a policy says, at a time in ms since the epoch. */
export function violationFields(violation: Violation, policy: string, now: number): Fields {
  const { page, host, blocked, directive, disposition } = violation
  return {
    Action: disposition === 'enforce' ? 'allow' : 'log',
    CSPDirective: directive,
    Host: host,
    PageURL: page,
    PolicyID: policy,
    Timestamp: now,
    URL: blocked,
    URLHost: URL.canParse(blocked) ? new URL(blocked).hostname : ''
  }
}
