import { type Client, check, isOk, KB, pairwise, type RawRequest, type Reply } from 'plimsoll'
import { createTally } from '../_tally.ts'
import { bodyOf } from '../edge/_way.ts'
import { hostsOf } from './_hosts.ts'
import { zonePlans } from './_plan.ts'

const source = "export default { fetch: () => new Response('here') }"

/** What of a request is large, and where in it the bytes stand. */
type Head = Pick<RawRequest, 'path' | 'headers'>
type Part = { clause: string; within?: number; beyond: number; head: (bytes: number) => Head }

const url = { clause: 'limits.request.url-length', within: 15 * KB, beyond: 17 * KB }
const single = { clause: 'limits.request.header-single', within: 15 * KB, beyond: 17 * KB }
const total = { clause: 'limits.request.headers-total', within: 29 * KB, beyond: 35 * KB }

const at = (path: string, headers: Head['headers'] = []): Head => ({ path, headers })
/** Whole pieces only: half a percent code is no URL. */
const filled = (bytes: number, piece: string) => piece.repeat(bytes / piece.length)
/** Headers of a thousand bytes, so many of each name. */
const headers = (bytes: number, each: number): Head['headers'] =>
  Array.from({ length: bytes / KB }, (_, place) => {
    const name = `x-fill-${Math.floor(place / each)}`
    return [name, `${place}`.padEnd(KB - name.length, 'a')]
  })

/** One header again and again: it may be refused for that, but not served as if it came once. */
const repeated = (name: string): Part => ({
  ...{ clause: total.clause, beyond: total.beyond },
  head: (bytes) => at('/', Array(bytes / KB).fill([name, 'a'.repeat(KB - name.length)]))
})

/** Each with numbers that leave out by how little targets may count otherwise. */
const parts: Record<string, Part> = {
  'a URL of one segment': { ...url, head: (bytes) => at(`/${filled(bytes, 'a')}`) },
  'a URL of many segments': { ...url, head: (bytes) => at(filled(bytes, '/a')) },
  'a URL of percent codes': { ...url, head: (bytes) => at(`/${filled(bytes, '%C3%A9')}`) },
  'a URL of parameters': { ...url, head: (bytes) => at(`/?${filled(bytes, 'b=1&')}`) },
  'a header': { ...single, head: (bytes) => at('/', [['authorization', filled(bytes, 'a')]]) },
  'headers of many names': { ...total, head: (bytes) => at('/', headers(bytes, 1)) },
  'headers, ten of each name': { ...total, head: (bytes) => at('/', headers(bytes, 10)) },
  'one header, repeated': repeated('x-fill'),
  ...Object.fromEntries(
    ['authorization', 'referer', 'user-agent'].map((name) => [`${name}, repeated`, repeated(name)])
  )
}

/** Every two of these meet; in a shared subdomain a plan of a zone means nothing. */
const ways = pairwise(
  {
    part: Object.keys(parts),
    host: ['own', 'below', 'domain', 'shared'],
    plan: zonePlans,
    method: ['GET', 'POST', 'PUT', 'DELETE']
  },
  { seed: 16 }
)

/** Whether the function answered. */
const isServed = (reply: Reply) => isOk(reply) && reply.body === 'here'

export default check({
  title: 'A request whose head is too large comes to no function, by whichever host, and others do',
  clauses: [url, single, total].map(({ clause }) => clause),
  expectedReplies: ['closed'],
  needs: ['edge', 'account', 'deploy', 'zoneOf', 'route', 'customDomain'],
  async run(context) {
    const hosts = await hostsOf(context, source)
    if (hosts === undefined) return
    const tally = createTally()
    for (const way of ways) {
      const { part, host, plan, method } = way
      const client: Client = host === 'shared' ? hosts.shared : hosts.zone[plan][host]
      const { clause, within, beyond, head } = parts[part]!
      const send = (of: Head) =>
        client.send({ ...of, method, body: bodyOf({ ...way, place: part }) })
      // Who is not served at a host, whatever is asked there, is refused nothing.
      if (!isServed(await send(at('/')))) continue
      for (const bytes of within === undefined ? [beyond] : [within, beyond]) {
        const reply = await send(head(bytes))
        const asked = `${method} of ${part}, ${bytes} bytes, by a host of a ${plan} zone (${host})`
        const holds = isServed(reply) === (bytes === within)
        tally.add(clause, { asked, holds, saw: reply.because, reply })
      }
    }
    tally.tell(context)
  }
})
