import { check, type Reply } from 'plimsoll'
import { byOutcome } from '../_outcomes.ts'
import { draft, type Policy, withPolicy } from '../_policy.ts'
import { isServed } from '../_reply.ts'
import { largest } from '../_zone.ts'

/** Values that make no sense, by the clause that asks what becomes of them. */
const odd: { [clause: string]: Partial<Policy>[] } = {
  'unspecified.implied.invalid-expression': [
    { expression: 'http.host eq' },
    { expression: 'no.such.field eq "a"' },
    { expression: '' }
  ],
  'unspecified.implied.invalid-csp-value': [
    { value: 'no-such-directive everywhere' },
    { value: 'script-src\nx-injected: 1' },
    { value: '' }
  ],
  'unspecified.implied.invalid-action': [{ action: 'block' }, { action: '' }]
}

export default check({
  title: 'Whether a policy with an expression, value or action of no sense is refused',
  clauses: Object.keys(odd),
  needs: ['management'],
  async run({ management, zones, random, observe }) {
    const zone = largest(zones)
    for (const [clause, changes] of Object.entries(odd)) {
      const replies: Reply[] = []
      for (const change of changes) {
        const policy = { ...draft(random), ...change }
        replies.push(await withPolicy({ management, zone, policy }))
      }
      const outcomes = replies.map((reply, index) => {
        const fate = isServed(reply) ? 'taken' : 'refused'
        return { asked: JSON.stringify(changes[index]), came: `${fate}, ${reply.because}` }
      })
      observe(clause, byOutcome(outcomes), ...(replies as [Reply, ...Reply[]]))
    }
  }
})
