import { type Channel, type Client, check, generated, type Look } from 'plimsoll'
import { hasBytes } from '../_reply.ts'
import { fetching, type Outcome, outcomeOf } from './_command.ts'
import { mirror } from './_mirror.ts'
import { anyProbe, openServer } from './_stage.ts'

const clause = 'functions.service.fetch'
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const withBody = ['POST', 'PUT', 'PATCH']
/** Those that HTTP knows more of than that they are one of hundreds, and that lead nowhere else. */
const statuses = [200, 201, 203, 206, 300, 305, 400, 404, 410, 416, 500, 599]
const longest = 200_000

/** Has a mirror pass a request on, and its answer back, and sees whether all of both arrived. */
async function passedOn(
  client: Client,
  { channel, method, sent, status, bytes, framing }: Passing
): Promise<Look> {
  const headers = { 'x-pass-to': channel.url({ status, bytes, framing }) }
  const body = sent === undefined ? undefined : 'x'.repeat(sent)
  const reply = await client.ask(method, '/', { headers, body })
  const { received, requests } = channel.seen()
  const isThere = requests === 1 && received === (sent ?? 0)
  const holds = isThere && reply.status === status && hasBytes(reply, bytes)
  const asked = `${method} with ${sent ?? 'no'} bytes, passed on for ${bytes} bytes (${framing})`
  return { asked, holds, saw: `${received} bytes came, ${reply.because}`, reply }
}

type Passing = {
  channel: Channel
  method: string
  sent: number | undefined
  status: number
  bytes: number
  framing: 'length' | 'chunked'
}

export default check({
  title: 'A fetch asks what the function says, and brings what is answered',
  clauses: [clause],
  needs: ['edge', 'probe', 'reach', 'account', 'deploy'],
  async run(context) {
    const { adapter, verify } = context
    const probe = await anyProbe(context)
    await using server = await openServer(context)
    const { id: account } = await adapter.account('standard')
    const env = { NAME: 'm' }
    const said = await adapter.deploy({ account, name: 'mirror', source: mirror, env })
    const host = said.accepted ? said.host : ''
    // A mirror tells more than a backend does, where functions find one.
    const there = await probe.ask(fetching(`http://${host}/`, { body: 'text' }))
    const hasMirror = outcomeOf(there)?.ok?.headers?.['x-name'] === 'm'
    let asked = 0
    const seen = await generated(context, {
      budget: { quick: 16, full: 150 },
      of: (any) =>
        any.record({
          method: any.constantFrom(...methods),
          path: any.stringMatching(/^\/[\w~-]{0,20}(\?[\w.~=&-]{1,20})?$/),
          status: any.constantFrom(...statuses),
          header: any.stringMatching(/^[\w.,;=~-]{1,40}$/),
          // Whether a body of no bytes is one is not said.
          send: any.oneof(any.integer({ min: 1, max: 100 }), any.integer({ min: 1, max: longest })),
          bytes: any.nat(longest),
          // Every other one is passed on as well.
          framing: any.constantFrom('length', 'chunked', undefined, undefined)
        }),
      async ask({ method, path, status, header, send, bytes, framing }) {
        const sent = withBody.includes(method) ? send : undefined
        const channel = server.channel(`${asked++}`)
        const how = { method, send: sent, body: 'text' }
        const reply = await probe.ask(fetching(channel.url({ status, bytes }), how))
        const got: Outcome | undefined = outcomeOf(reply)
        if (got === undefined) return undefined
        const { received, requests } = channel.seen()
        const text = `${method} with ${sent ?? 'no'} bytes`
        const length = got.ok?.text && got.ok.headers['content-length']
        const isThere = requests === 1 && received === (sent ?? 0)
        const isBack = got.ok?.status === status && (bytes === 0 || Number(length) === bytes)
        const fate =
          got.error ?? `${received} bytes came, HTTP ${got.ok?.status} and ${length} back`
        if (!isThere || !isBack || !hasMirror)
          return { asked: text, holds: isThere && isBack, saw: fate, reply }
        const headers = { 'x-sent': header, 'x-status': String(status) }
        const again = await probe.ask(fetching(`http://${host}${path}`, { ...how, headers }))
        const { ok } = outcomeOf(again) ?? {}
        // A mirror cannot tell a body of no bytes from none.
        const expected = `${method} ${host}${path} ${header} ${sent || 'no'} bytes`
        const saw = decodeURIComponent(ok?.headers?.['x-seen'] ?? 'nothing')
        const isSame = saw === expected && ok.status === status && ok.text === 'x'.repeat(sent ?? 0)
        if (!isSame || framing === undefined)
          return { asked: expected, holds: isSame, saw: isSame ? 'just that' : saw, reply: again }
        // Others are no evidence when they come to a client.
        const told = status < 300 ? status : 200
        const passed = { channel: server.channel(`${asked++}`), status: told, bytes, framing }
        return passedOn(context.edge.as(host), { method, sent, ...passed })
      }
    })
    if (seen) verify(clause, ...seen)
  }
})
