import { type Context, check, digest, type Look, MB, pairwise, summary } from 'plimsoll'
import { freshId } from '../_id.ts'
import { echo } from './_echo.ts'

/** By plan, the largest body in decimal units, which any reading of them allows. */
const largest = { free: 100 * MB, pro: 100 * MB, business: 200 * MB, enterprise: 500 * MB }
const plans = Object.keys(largest) as (keyof typeof largest)[]
const methods = ['POST', 'PUT', 'PATCH'] as const
/** After how long without a refusal there is none to come before the body is there. */
const leaveMs = 300

/** Every two of these meet; all of it is far within what each plan allows. */
const ways = pairwise(
  {
    plan: plans,
    method: methods,
    framing: ['length', 'chunked', 'expect'],
    bytes: [1, 8_191, 70_001, 300_001]
  },
  { seed: 16 }
)

type Way = (typeof ways)[number]

/** Sends a body, and has the echo tell what arrived of it. */
async function sent({ edge, random }: Context, way: Way): Promise<Look> {
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

/**
 * Announces the largest body, and waits for leave to send it: that costs as good as nothing, so
 * that it can be asked of each method on each plan. Only a refusal tells anything.
 */
async function announced({ edge }: Context, { plan, method }: Pick<Way, 'plan' | 'method'>) {
  const bytes = largest[plan]
  const reply = await edge.zone(plan).send({
    ...{ method, path: echo, headers: [['content-length', `${bytes}`]], timeoutMs: leaveMs },
    ...{ body: { bytes: 1, framing: 'expect' }, beforeLastByte: () => new Promise(() => {}) }
  })
  const asked = `${method} that announces ${bytes} bytes`
  const look: Look = { asked, holds: false, saw: reply.because, reply }
  return reply.status === 413 ? [look] : []
}

export default check({
  title: 'A body within the limit arrives byte by byte, however it is sent',
  clauses: plans.map((plan) => `limits.request.body.${plan}`),
  expectedReplies: ['closed', 'timeout'],
  needs: ['edge'],
  async run(context) {
    for (const plan of plans.filter((one) => one in context.hosts)) {
      const refused = methods.map((method) => announced(context, { plan, method }))
      const looks: Look[] = (await Promise.all(refused)).flat()
      for (const way of ways) if (way.plan === plan) looks.push(await sent(context, way))
      const found = summary(looks)
      if (found) context.verify(`limits.request.body.${plan}`, ...found)
    }
  }
})
