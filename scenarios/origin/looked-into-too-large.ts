import { check, pairwise } from 'plimsoll'
import { plans, tooLargeClauses } from '../edge/_too-large.ts'
import { judgeBehind, type Way } from './_too-large.ts'

/** What bodies are that a WAF looks into. */
const [json, form] = ['application/json', 'application/x-www-form-urlencoded']

/** A body that says how long it is costs nothing: every two of these meet. */
const announced: Way[] = pairwise(
  {
    plan: plans,
    method: ['POST', 'PUT', 'PATCH'],
    framing: ['length', 'expect'],
    type: [json, form]
  },
  { seed: 16 }
)

/** Such a body costs all of its bytes. */
const unannounced: Way[] = [
  { plan: 'pro', method: 'POST', framing: 'chunked', type: json },
  { plan: 'free', method: 'PATCH', framing: 'chunked', type: form },
  { plan: 'business', method: 'PUT', framing: 'chunked', type: 'application/problem+json' },
  { plan: 'enterprise', method: 'PUT', framing: 'chunked', type: 'text/plain' }
]

export default check({
  title: 'A body that is too large is refused with 413 where a WAF looks into it on its way',
  clauses: tooLargeClauses,
  // Of who serves what is smaller they say that he has failed, and not that the server has.
  expectedReplies: [502, 503, 504],
  needs: ['edge', 'zone', 'origin', 'reach', 'previousWaf'],
  run: (context) => {
    const ways = [...announced, ...unannounced.slice(0, context.tier === 'quick' ? 1 : 4)]
    const prepare = (zone: string) => context.adapter.previousWaf(zone, { enabled: true })
    return judgeBehind(context, { ways, plans, prepare })
  }
})
