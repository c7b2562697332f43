import { type Context, check, digest, type Look, pairwise, summary } from 'plimsoll'
import { freshId } from '../_id.ts'
import { echo, sendBody } from './_echo.ts'
import { announced, judgeLargest, largestBehind, plans } from './_too-large.ts'

const methods = ['POST', 'PUT', 'PATCH'] as const

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
  const reply = await sendBody(edge.zone(plan), { method, path, body: { bytes, framing } })
  const { method: by, url, bytes: count, sha256 } = reply.json ?? {}
  const isRequest = by === method && url === path
  const holds = isRequest && count === bytes && sha256 === digest(bytes)
  const content = sha256 === digest(bytes) ? 'as they were' : 'not as they were'
  const asked = `${method} of ${bytes} bytes (${framing})`
  return { asked, holds, saw: `${reply.because}: ${by} of ${count} bytes, ${content}`, reply }
}

export default check({
  title: 'A body within the limit arrives byte by byte, however and behind whatever it is sent',
  clauses: plans.map((plan) => `limits.request.body.${plan}`),
  expectedReplies: ['closed', 'timeout'],
  needs: ['edge'],
  async run(context) {
    const isQuick = context.tier === 'quick'
    // Where it costs the fewest bytes.
    const behind = isQuick ? plans.slice(0, 2) : plans
    for (const plan of plans.filter((one) => one in context.hosts)) {
      const place = { client: context.edge.zone(plan), path: echo }
      const largest = announced.filter((way) => way.plan === plan)
      const [isBehind, isSent] = [behind.includes(plan), !isQuick && plan === 'free']
      const [late] = await Promise.all([
        isBehind ? largestBehind(place.client, { plan, isSent }) : undefined,
        ...largest.map((way) => judgeLargest(context, { ...place, ...way }))
      ])
      const looks: Look[] = []
      for (const way of ways) if (way.plan === plan) looks.push(await sent(context, way))
      if (late) looks.push({ ...late, reply: looks[0]!.reply })
      const found = summary(looks)
      if (found) context.verify(`limits.request.body.${plan}`, ...found)
    }
  }
})
