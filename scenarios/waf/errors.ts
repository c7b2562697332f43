import { check, matrix } from 'plimsoll'
import { quoted } from '../_reply.ts'
import { plans } from './_owasp.ts'
import { expressionOf, expressions, migrateWith } from './_seeded.ts'

const long = expressionOf(4_097, 1)
const [one, other] = expressions(2) as [string, string]

/** Firewall rules by the error they must lead to; a KB is 1,000 bytes or 1,024. */
const excessive: { [clause: string]: string[][] } = {
  'error.migration-over-200-rules': [expressions(201)],
  // Whichever of them it is: each on another plan.
  'error.migration-expression-over-4kb': [
    [long, one],
    [one, long],
    [one, long, other]
  ]
}

export default check({
  title: 'Too many firewall rules, or too long an expression, is an error of the migration',
  clauses: Object.keys(excessive),
  needs: ['management', 'disposableZone', 'previousWaf', 'migrated'],
  async run(context) {
    const all = [...plans.map((plan) => ({ plan })), { plan: 'enterprise', before: 'validation' }]
    const ordinary = new Map<string, string>()
    for (const plan of plans)
      ordinary.set(plan, (await migrateWith(context, { plan, expressions: [one, other] })).kind)
    for (const { clause, start } of matrix({ clause: Object.keys(excessive), start: all })) {
      const ways = excessive[clause]!
      const expressions = ways[all.indexOf(start) % ways.length]!
      const { kind, replies } = await migrateWith(context, { ...start, expressions })
      if (kind === 'not begun') continue
      const { because, json } = replies.at(-1)!
      const isError = json?.success === false && json.errors?.length > 0
      // Where nothing can be migrated it is not for what is too much.
      if (kind === 'refused' && ordinary.get(start.plan) === 'refused') continue
      const saw = `${quoted(start)}, ${kind}: ${because}, errors ${quoted(json?.errors)}`
      context.verify(clause, { holds: kind === 'refused' && isError, saw }, ...replies)
    }
  }
})
