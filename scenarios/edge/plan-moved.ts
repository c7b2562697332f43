import { setTimeout as pause } from 'node:timers/promises'
import { check, isOk, type Judge } from 'plimsoll'
import { echo, sendBody } from './_echo.ts'
import { judgeLargest, judgeTooLarge, type Plan } from './_too-large.ts'

/** In the order in which the zone moves: to a larger maximum, to a smaller one, and so again. */
const moves: readonly Plan[] = ['free', 'business', 'pro', 'enterprise', 'free']
/** A plan may take a moment to be in force. */
const [settleMs, everyMs] = [8_000, 400]

export default check({
  title:
    'A body may be as large as the plan allows that its zone is on, whichever it was on before',
  clauses: ['error.body-413.put', ...new Set(moves.map((plan) => `limits.request.body.${plan}`))],
  tier: 'full',
  needs: ['edge', 'zone', 'zonePlan'],
  // Who gives leave to send what is announced is not sent it.
  expectedReplies: ['timeout'],
  async run(context) {
    const [first] = moves as [Plan]
    const { id, host } = await context.adapter.zone(first)
    const client = context.edge.as(host)
    const few = { bytes: 9, framing: 'length' } as const
    const small = await sendBody(client, { method: 'PUT', path: echo, body: few })
    // Who serves none has not refused one for its size.
    if (!isOk(small) || small.json?.bytes !== few.bytes) return
    const judged = async (plan: Plan) => {
      const verdicts: Parameters<Judge['verify']>[] = []
      const judge = { ...context, verify: (...one: (typeof verdicts)[0]) => verdicts.push(one) }
      const sent = { client, path: echo, plan, method: 'PUT' } as const
      await judgeTooLarge(judge, { ...sent, framing: 'length' })
      await judgeLargest(judge, sent)
      return verdicts
    }
    for (const [at, plan] of moves.entries()) {
      if (at > 0) await context.adapter.zonePlan(id, plan)
      const until = performance.now() + settleMs
      let verdicts = await judged(plan)
      const isWrong = () => verdicts.some(([, look]) => typeof look === 'object' && !look.holds)
      while (at > 0 && isWrong() && performance.now() < until) {
        await pause(everyMs)
        verdicts = await judged(plan)
      }
      for (const one of verdicts) context.verify(...one)
    }
  }
})
