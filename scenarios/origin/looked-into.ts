import { type Context, check, type Look, pairwise, summary } from 'plimsoll'
import { type CallableServer, openServer, patienceMs } from '../functions/_stage.ts'

const plans = ['free', 'pro', 'business', 'enterprise'] as const
const clause = (plan: string) => `limits.request.body.${plan}`

/** Bodies in which nothing is amiss, by what they say they are. */
const documents: { [type: string]: (letters: string) => string } = {
  'application/x-www-form-urlencoded': (letters) => `a=b&c=${letters}`,
  'application/json': (letters) => `{"a":["b","${letters}"]}`,
  'multipart/form-data; boundary=part': (letters) =>
    `--part\r\nContent-Disposition: form-data; name="a"\r\n\r\n${letters}\r\n--part--\r\n`
}

/** Every two of these meet. */
const ways = pairwise(
  {
    plan: plans,
    method: ['post', 'put', 'patch'],
    type: Object.keys(documents),
    letters: [1, 3_000, 200_001]
  },
  { seed: 16 }
)

type Way = (typeof ways)[number]

/** Sends a document to a zone, and sees how much of it came to the server behind. */
async function sent(
  { edge }: Context,
  { server, host, way, at }: { server: CallableServer; host: string; way: Way; at: number }
): Promise<Look> {
  const { method, type, letters, plan } = way
  const channel = server.channel(`${plan}-${at}`)
  const { pathname, search } = new URL(channel.url({ hold: 'head' }))
  const body = documents[type]!('quiet '.repeat(letters / 6 + 1).slice(0, letters))
  const asked = edge.as(host)[method](pathname + search, {
    ...{ body, headers: { 'content-type': type } }
  })
  const isOver = asked.then(() => true)
  await Promise.race([channel.until((seen) => seen.received >= body.length, patienceMs), isOver])
  channel.release()
  const reply = await asked
  const { received } = channel.seen()
  return {
    asked: `${method} of ${body.length} bytes, ${type}`,
    holds: received === body.length && reply.status === 200,
    saw: `${received} bytes came there, ${reply.because} back`,
    reply
  }
}

export default check({
  title: 'A body that a WAF looks into on its way arrives with all of its bytes',
  clauses: plans.map(clause),
  needs: ['edge', 'zone', 'origin', 'reach', 'previousWaf'],
  async run(context) {
    const { adapter, verify } = context
    await using server = await openServer(context)
    for (const plan of plans) {
      const { id, host } = await adapter.zone(plan)
      await adapter.previousWaf(id, { enabled: true })
      await adapter.origin(id, new URL(server.channel('any').url()).origin)
      const looks: Look[] = []
      for (const [at, way] of ways.entries())
        if (way.plan === plan) looks.push(await sent(context, { server, host, way, at }))
      const found = summary(looks)
      if (found) verify(clause(plan), ...found)
    }
  }
})
