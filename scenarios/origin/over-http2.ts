import {
  type Client,
  type Context,
  check,
  type Look,
  pairwise,
  type Reply,
  summary
} from 'plimsoll'
import { type Connection, http2To, isAnswer, patienceMs, wordsOf } from '../_http2.ts'
import { sendBody } from '../edge/_echo.ts'
import { isTelling } from '../edge/_taken.ts'
import { type CallableServer, openServer } from '../functions/_stage.ts'

const plans = ['free', 'pro', 'business', 'enterprise'] as const
const clause = (plan: string) => `limits.request.body.${plan}`

/** Every two of these meet; over HTTP/2 a body need not say how long it is. */
const ways = pairwise(
  {
    plan: plans,
    method: ['POST', 'PUT', 'PATCH'],
    isLengthTold: [true, false],
    bytes: [1, 300_001]
  },
  { seed: 16 }
)

type Way = (typeof ways)[number]

/** What was answered to a body, and whether that is about bodies at all. */
type Outcome = { status: number; saw: string; isTelling: boolean; reply?: Reply }

async function overHttp1(zone: Client, { method, bytes, isLengthTold }: Way, path: string) {
  const framing = isLengthTold ? 'length' : 'chunked'
  const reply = await sendBody(zone, { method, path, body: { bytes, framing } })
  return { status: reply.status, saw: reply.because, isTelling: true, reply }
}

async function overHttp2(http2: Connection, { method, bytes, isLengthTold }: Way, path: string) {
  const told = await http2.ask({
    ...{ method, path, forMs: 1.5 * patienceMs },
    ...(isLengthTold && { headers: { 'content-length': bytes } }),
    body: isLengthTold ? 'x'.repeat(bytes) : bytes
  })
  const status = isAnswer(told) ? told.status : 0
  return { status, saw: wordsOf(told), isTelling: isTelling(told) }
}

type Send = (way: Way, path: string) => Promise<Outcome>

/** Sends a body to a zone, and sees how much of it came to the server behind. */
async function arrived(server: CallableServer, { send, way, label }: { send: Send } & Labelled) {
  const channel = server.channel(label)
  // A server that answers before it has the whole body may be sent no more of it.
  const { pathname, search } = new URL(channel.url({ hold: 'head' }))
  const asked = send(way, pathname + search)
  const isOver = asked.then(() => true)
  await Promise.race([channel.until((seen) => seen.received >= way.bytes, patienceMs), isOver])
  channel.release()
  const { status, saw, ...rest } = await asked
  const { received } = channel.seen()
  const holds = status === 200 && received === way.bytes
  return { holds, saw: `${received} bytes came there, ${saw} back`, ...rest }
}

type Labelled = { way: Way; label: string }

/** What is seen of the bodies of a plan, of one over HTTP/1.1 and of all where HTTP/2 is spoken. */
async function looksOn(plan: Way['plan'], { adapter, edge }: Context, server: CallableServer) {
  const { id, host } = await adapter.zone(plan)
  const { origin, pathname, search } = new URL(server.channel('any').url())
  await adapter.origin(id, origin)
  const zone = edge.as(host)
  const path = pathname + search
  const [reply, http2] = [await zone.get(path), await http2To(zone)]
  const plain = await http2?.ask({ method: 'GET', path })
  const own = ways.filter((one) => one.plan === plan)
  const asked: { way: Way; over: string; send: Send }[] = [
    { way: own[0]!, over: 'HTTP/1.1', send: (...sent) => overHttp1(zone, ...sent) }
  ]
  if (http2 && isAnswer(plain) && plain.status === 200)
    for (const way of own)
      asked.push({ way, over: 'HTTP/2', send: (...sent) => overHttp2(http2, ...sent) })
  const looks: Look[] = []
  for (const { way, over, send } of asked) {
    const label = `${plan}-${looks.length}`
    const { isTelling, ...found } = await arrived(server, { send, way, label })
    // Who wants a length, or is out, has shown nothing of what arrives.
    if (!isTelling) break
    const told = way.isLengthTold ? 'told' : 'not told'
    const words = `${way.method} of ${way.bytes} bytes over ${over}, its length ${told}`
    looks.push({ asked: words, reply, ...found })
    if (!found.holds) break
  }
  http2?.close()
  return looks
}

export default check({
  title: 'A body reaches the server behind a zone, over HTTP/2 as well where that is spoken',
  clauses: plans.map(clause),
  needs: ['edge', 'zone', 'origin', 'reach'],
  async run(context) {
    await using server = await openServer(context)
    for (const plan of plans) {
      const looks = await looksOn(plan, context, server)
      const found = summary(looks)
      if (found) context.verify(clause(plan), ...found)
      // Where bodies do not arrive each of them is waited for in vain.
      if (looks.some(({ holds }) => !holds)) return
    }
  }
})
