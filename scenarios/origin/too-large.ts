import { type Channel, check, isOk, pairwise } from 'plimsoll'
import { beyondOf, judgeTooLarge, plans, tooLargeClauses } from '../edge/_too-large.ts'
import { openServer, patienceMs } from '../functions/_stage.ts'

/** A body that says how long it is costs nothing: every two of these meet. */
const announced = pairwise(
  { plan: plans, method: ['POST', 'PUT', 'PATCH'], framing: ['length', 'expect'] },
  { seed: 16 }
)

/** Such a body costs all of its bytes. */
const unannounced = [
  { plan: 'pro', method: 'POST', framing: 'chunked' },
  { plan: 'free', method: 'PUT', framing: 'chunked' },
  { plan: 'business', method: 'PATCH', framing: 'chunked' },
  { plan: 'enterprise', method: 'POST', framing: 'chunked' }
] as const

export default check({
  title: 'A body that is too large is refused with 413, whatever server stands behind the zone',
  clauses: tooLargeClauses,
  // Of who serves what is smaller they say that he has failed, and not that the server has.
  expectedReplies: [502, 503, 504],
  needs: ['edge', 'zone', 'origin', 'reach'],
  async run(context) {
    const { adapter, edge, tier } = context
    await using server = await openServer(context)
    const dear = tier === 'quick' ? unannounced.slice(0, 1) : unannounced
    const path = (url: string) => new URL(url).pathname + new URL(url).search
    for (const plan of plans) {
      const { id, host } = await adapter.zone(plan)
      const small = server.channel(`small-${plan}`).url()
      await adapter.origin(id, new URL(small).origin)
      const client = edge.as(host)
      const isServing = async () => isOk(await client.post(path(small), { body: 'small' }))
      if (!(await isServing())) continue
      const own = [...announced, ...dear].filter((way) => way.plan === plan)
      for (const [at, way] of own.entries()) {
        const channel = server.channel(`${plan}-${at}`)
        // Who answers before all of a body is there may be sent no more of it.
        const isOver = ({ received, requests, open }: ReturnType<Channel['seen']>) =>
          received >= beyondOf(plan) || requests > open
        const isHeld = way.framing === 'chunked'
        if (isHeld) channel.until(isOver, patienceMs).then(() => channel.release())
        const url = channel.url(isHeld ? { hold: 'head' } : {})
        await judgeTooLarge(context, { client, path: path(url), isServing, ...way })
      }
    }
  }
})
