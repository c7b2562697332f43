import { check, pairwise } from 'plimsoll'
import { plans, tooLargeClauses } from '../edge/_too-large.ts'
import { judgeBehind, type Way } from './_too-large.ts'

/** A body that says how long it is costs nothing: every two of these meet. */
const announced: Way[] = pairwise(
  { plan: plans, method: ['POST', 'PUT', 'PATCH'], framing: ['length', 'expect'] },
  { seed: 16 }
)

/** Such a body costs all of its bytes; `looked-into-too-large` has some in a quick run. */
const unannounced: Way[] = [
  { plan: 'pro', method: 'POST', framing: 'chunked' },
  { plan: 'free', method: 'PUT', framing: 'chunked' },
  { plan: 'business', method: 'PATCH', framing: 'chunked' },
  { plan: 'enterprise', method: 'POST', framing: 'chunked' }
]

export default check({
  title: 'A body that is too large is refused with 413, whatever server stands behind the zone',
  clauses: tooLargeClauses,
  // Of who serves what is smaller they say that he has failed, and not that the server has.
  expectedReplies: [502, 503, 504],
  needs: ['edge', 'zone', 'origin', 'reach'],
  run: (context) => {
    const ways = [...announced, ...(context.tier === 'quick' ? [] : unannounced)]
    return judgeBehind(context, { ways, plans })
  }
})
