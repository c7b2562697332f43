import { type Client, check, isOk, type Look, type Reply, summary } from 'plimsoll'
import { http2To, isAnswer, type Told } from '../_http2.ts'
import { settle } from './_account.ts'
import { methods } from './_crowd.ts'
import { zonePlans } from './_plan.ts'
import { probeSource } from './_probing.ts'

const clause = 'rate.free.account-level'
const most = 100_000
/** So many are sent by each way, before the day is used up and after it. */
const [within, beyond] = [2, 2]
/** Methods of which an answer tells who gave it. */
const told = methods.filter((method) => method !== 'HEAD')
const dayMs = 86_400_000
const hourMs = 3_600_000

// A probe answered, and neither an origin nor an error page.
const ran = (reply: Reply) => isOk(reply) && reply.json?.ok !== undefined

/** So many go by one connection of HTTP/2, where that is spoken. */
const byOne = 4

/** How many a client has answered over HTTP/2; undefined where one may have counted or not. */
async function overHttp2(client: Client): Promise<number | undefined> {
  const http2 = await http2To(client)
  if (!http2) return 0
  const tolds: Told[] = []
  for (let at = 0; at < byOne; at++) tolds.push(await http2.ask({ method: 'GET', path: '/' }))
  http2.close()
  const isAll = tolds.every((told) => isAnswer(told) && told.json?.ok !== undefined)
  return isAll ? byOne : undefined
}

export default check({
  title: 'Whichever way a request comes to whichever function, it counts as one of the account',
  clauses: [clause],
  expectedReplies: [429, 503],
  needs: [
    ...['edge', 'account', 'deploy', 'zoneOf', 'route', 'customDomain'],
    ...['preloadRequests', 'clock']
  ],
  alone: ['clock'],
  async run(context) {
    const { adapter, edge, verify } = context
    const own = await settle(context, 'free')
    const { account } = own
    const other = await adapter.deploy({ account, name: 'other', source: probeSource() })
    if (!other.accepted) return
    const ways: { way: string; client: Client }[] = [
      { way: 'the shared subdomain', client: own.shared },
      { way: 'the shared subdomain, to another function', client: edge.as(other.host) }
    ]
    for (const plan of zonePlans) {
      const zone = await own.zone(plan)
      ways.push({ way: `a route of a ${plan} zone`, client: zone.client })
      for (const id of [own.function, other.id]) {
        const host = `own-${ways.length}.${zone.host}`
        const done = await adapter.customDomain(id, host)
        if (done.accepted) ways.push({ way: `a domain in a ${plan} zone`, client: edge.as(host) })
      }
    }
    // A new day, which does not end while this goes on.
    const newDay = async () => adapter.clock(dayMs - ((await adapter.clock(0)) % dayMs) + hourMs)
    await newDay()
    const before = await overHttp2(own.shared)
    if (before === undefined) await newDay()
    await adapter.preloadRequests(account, most - within * ways.length - (before ?? 0))
    const ask = async (count: number) => {
      const asked: { way: string; reply: Reply }[] = []
      for (let round = 0; round < count; round++)
        for (const { way, client } of ways) {
          const method = told[asked.length % told.length]!
          asked.push({ way: `${way}, ${method}`, reply: await client.ask(method, '/') })
        }
      return asked
    }
    const last = await ask(within)
    // What is not served at all cannot be counted.
    if (!last.every(({ reply }) => ran(reply))) return
    const looks = (await ask(beyond)).map(({ way, reply }): Look => {
      const saw = `behind ${most} of all ways together: ${reply.because}`
      return { asked: `by ${way}`, holds: !ran(reply), saw, reply }
    })
    const found = summary(looks)
    if (found) verify(clause, ...found)
  }
})
