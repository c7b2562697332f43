import { type Context, check, digest, type Look, pairwise, summary } from 'plimsoll'
import { freshId } from '../_id.ts'
import { echo } from './_echo.ts'

const plans = ['free', 'pro', 'business', 'enterprise'] as const

/** Every two of these meet; all of it is far within what each plan allows. */
const ways = pairwise(
  {
    plan: plans,
    method: ['POST', 'PUT', 'PATCH'],
    framing: ['length', 'chunked', 'expect'],
    bytes: [1, 8_191, 70_001, 300_001]
  },
  { seed: 16 }
)

/** Sends a body, and has the echo tell what arrived of it. */
async function sent({ edge, random }: Context, way: (typeof ways)[number]): Promise<Look> {
  const { plan, method, framing, bytes } = way
  const path = `${echo}?${freshId(random)}`
  const reply = await edge.zone(plan).send({ method, path, body: { bytes, framing } })
  const { method: by, url, bytes: count, sha256 } = reply.json ?? {}
  const isRequest = by === method && url === path
  const holds = isRequest && count === bytes && sha256 === digest(bytes)
  const content = sha256 === digest(bytes) ? 'as they were' : 'not as they were'
  const asked = `${method} of ${bytes} bytes (${framing})`
  return { asked, holds, saw: `${reply.because}: ${by} of ${count} bytes, ${content}`, reply }
}

export default check({
  title: 'A body within the limit arrives byte by byte, however it is sent',
  clauses: plans.map((plan) => `limits.request.body.${plan}`),
  needs: ['edge'],
  async run(context) {
    for (const plan of plans.filter((one) => one in context.hosts)) {
      const looks: Look[] = []
      for (const way of ways) if (way.plan === plan) looks.push(await sent(context, way))
      const found = summary(looks)
      if (found) context.verify(`limits.request.body.${plan}`, ...found)
    }
  }
})
