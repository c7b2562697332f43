import {
  type Channel,
  type Context,
  check,
  isOk,
  type Look,
  matrix,
  pairwise,
  summary
} from 'plimsoll'
import { hasBytes } from '../_reply.ts'
import { sendBody } from '../edge/_echo.ts'
import { type CallableServer, openServer, patienceMs } from '../functions/_stage.ts'

const plans = ['free', 'pro', 'business', 'enterprise'] as const
const url = 'limits.request.url-length'
const single = 'limits.request.header-single'
const told = 'x-passed-on'
/** Characters of the value of a header, far within what one may have, there and on the way back. */
const valueLengths = [1, 200, 3_000]
const bodyOf = (plan: string) => `limits.request.body.${plan}`

/** Every two of these meet; all of it is far within what each plan allows. */
const ways = pairwise(
  {
    plan: plans,
    method: ['POST', 'PUT', 'PATCH'],
    framing: ['length', 'chunked', 'expect'],
    bytes: [1, 300_001],
    status: [200, 203, 404]
  },
  { seed: 16 }
)
/** Characters of a name in a URL, which with all else of it is shorter than 16,000 bytes. */
const nameLengths = [1, 9_001, 15_800]
/** What is there by that URL; pages are left out, since an edge may add to them. */
const types = ['application/octet-stream', 'text/javascript', 'application/json', 'text/css']

type Way = (typeof ways)[number]

/** A header more, there and on the way back, so that it is not always the same one in line. */
const beside = { headers: { 'x-beside': 'one more' }, answer: { cache: 'no-store' } }

/** Sends a header by way of a zone, and sees whether it came back from the server behind. */
async function returned(
  { edge }: Context,
  { channel, host, length, isAlone }: { channel: Channel; host: string } & Header
): Promise<Look> {
  const { headers = {}, answer = {} } = isAlone ? {} : beside
  const { pathname, search } = new URL(channel.url({ returned: told, ...answer }))
  const value = `${length}`.padEnd(length, '.')
  const sent = { headers: { ...headers, [told]: value } }
  const reply = await edge.as(host).get(pathname + search, sent)
  const came = reply.headers[told] ?? ''
  const saw = `${reply.because}, ${came.length} characters of it`
  return { asked: `a header of ${length} characters`, holds: came === value, saw, reply }
}

type Header = { length: number; isAlone: boolean }

/** Asks a zone for a file with a long name, and sees whether it is that which was asked for. */
async function named(
  { edge }: Context,
  { server, host, length, type }: { server: CallableServer; host: string } & Named
): Promise<Look> {
  const channel = server.channel(`${host}-${length}-${type}`)
  const { pathname, search } = new URL(channel.url({ name: 'n'.repeat(length), type, bytes: 9 }))
  const reply = await edge.as(host).get(pathname + search)
  const came = channel.seen().order.map((one) => one.length)
  const holds = `${came}` === `${length}` && isOk(reply) && hasBytes(reply, 9)
  const asked = `${type} by a URL with a name of ${length} characters`
  return { asked, holds, saw: `there came ${came.join(', ') || 'none'}; ${reply.because}`, reply }
}

type Named = { length: number; type: string }

/** Sends a body to a zone, and sees whether it came to the server behind, and the answer back. */
async function sent(
  { edge }: Context,
  { server, host, way, at }: { server: CallableServer; host: string; way: Way; at: number }
): Promise<Look> {
  const { method, framing, bytes, status, plan } = way
  const channel = server.channel(`${plan}-${at}`)
  // A server that answers before it has the whole body may be sent no more of it.
  const { pathname, search } = new URL(channel.url({ status, bytes, hold: 'head' }))
  const body = { bytes, framing }
  const asked = sendBody(edge.as(host), { method, path: pathname + search, body })
  const isOver = asked.then(() => true)
  await Promise.race([channel.until((seen) => seen.received >= bytes, patienceMs), isOver])
  channel.release()
  const reply = await asked
  const { requests, received } = channel.seen()
  const isBack = reply.status === status && hasBytes(reply, bytes)
  return {
    asked: `${method} of ${bytes} bytes (${framing}), answered with HTTP ${status}`,
    holds: requests === 1 && received === bytes && isBack,
    saw: `${requests} requests and ${received} bytes came there, ${reply.because} back`,
    reply
  }
}

export default check({
  title: 'What is within the limits reaches the server behind a zone, and its answer comes back',
  clauses: [...plans.map(bodyOf), url, single],
  needs: ['edge', 'zone', 'origin', 'reach'],
  async run(context) {
    const { adapter, verify } = context
    await using server = await openServer(context)
    const urls: Look[] = []
    const headers: Look[] = []
    for (const plan of plans) {
      const { id, host } = await adapter.zone(plan)
      await adapter.origin(id, new URL(server.channel('any').url()).origin)
      const looks: Look[] = []
      for (const [at, way] of ways.entries())
        if (way.plan === plan) looks.push(await sent(context, { server, host, way, at }))
      verify(bodyOf(plan), ...summary(looks)!)
      const channel = server.channel(plan)
      for (const one of matrix({ length: valueLengths, isAlone: [true, false] }))
        headers.push(await returned(context, { channel, host, ...one }))
      for (const { length, type } of matrix({ length: nameLengths, type: types }))
        urls.push(await named(context, { server, host, length, type }))
    }
    verify(url, ...summary(urls)!)
    verify(single, ...summary(headers)!)
  }
})
