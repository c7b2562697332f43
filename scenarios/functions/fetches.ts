import { type Channel, type Client, check, generated, type Look, summary } from 'plimsoll'
import { hasBytes } from '../_reply.ts'
import { type Command, fetching, outcomeOf } from './_command.ts'
import { defaultPorts } from './_default-ports.ts'
import { mirror } from './_mirror.ts'
import { answered, muteness, type Told, told } from './_mute.ts'
import { sentOn } from './_sent-on.ts'
import { anyProbe, type CallableServer, openServer, type Probe } from './_stage.ts'

const clause = 'functions.service.fetch'
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const withBody = ['POST', 'PUT', 'PATCH']
/** Those that HTTP knows more of than that they are one of hundreds, and that lead nowhere else. */
const statuses = [200, 201, 203, 206, 300, 305, 400, 404, 410, 416, 500, 599]
const longest = 200_000

/** A channel of its own for each time that something is asked, and that of the last time. */
type Channels = { next(): Channel; last(): Channel }

function channelsOf(server: CallableServer): Channels {
  let count = 0
  const last = () => server.channel(`${count}`)
  return {
    last,
    next() {
      count++
      return last()
    }
  }
}

/** Asks a probe, and knows whether it was mute: nobody waits for another one that is. */
function listeningTo(probe: Probe) {
  let isMute = false
  return {
    isMute: () => isMute,
    async told(command: () => Command): Promise<Told> {
      const said = await told(probe, command)
      isMute = said.isMute
      return said
    }
  }
}

/** Whether a fetch came to a server as it was sent, and what that answered came back. */
function cameTo(channel: Channel, said: Told, wanted: Fetch): Look | undefined {
  const { outcome: got, reply } = said
  const { asked, sent, status, bytes } = wanted
  if (got === undefined) return muteness(asked, said)
  const { received, requests } = channel.seen()
  const length = got.ok?.text && got.ok.headers['content-length']
  const isThere = requests === 1 && received === (sent ?? 0)
  const isBack = got.ok?.status === status && (bytes === 0 || Number(length) === bytes)
  const saw = got.error ?? `${received} bytes came, HTTP ${got.ok?.status} and ${length} back`
  return { asked, holds: isThere && isBack, saw, reply }
}

type Fetch = { asked: string; sent: number | undefined; status: number; bytes: number }

/** Has a mirror pass a request on, and its answer back, and sees whether all of both arrived. */
async function passedOn(
  client: Client,
  { channels, method, sent, status, bytes, framing }: Passing
): Promise<Look> {
  const body = sent === undefined ? undefined : 'x'.repeat(sent)
  const reply = await answered(() => {
    const headers = { 'x-pass-to': channels.next().url({ status, bytes, framing }) }
    return client.ask(method, '/', { headers, body })
  })
  const { received, requests } = channels.last().seen()
  const isThere = requests === 1 && received === (sent ?? 0)
  const holds = isThere && reply.status === status && hasBytes(reply, bytes)
  const asked = `${method} with ${sent ?? 'no'} bytes, passed on for ${bytes} bytes (${framing})`
  return { asked, holds, saw: `${received} bytes came, ${reply.because}`, reply }
}

type Passing = {
  channels: Channels
  method: string
  sent: number | undefined
  status: number
  bytes: number
  framing: 'length' | 'chunked'
}

export default check({
  title: 'A fetch asks what the function says, and brings what is answered',
  clauses: [clause],
  // A fetch that never ends, where the function does, is no outage.
  expectedReplies: ['timeout'],
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
    const there = await told(probe, () => fetching(`http://${host}/`, { body: 'text' }))
    const hasMirror = outcomeOf(there.reply)?.ok?.headers?.['x-name'] === 'm'
    const channels = channelsOf(server)
    const asking = listeningTo(probe)
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
        if (asking.isMute()) return undefined
        const sent = withBody.includes(method) ? send : undefined
        const how = { method, send: sent, body: 'text' }
        const text = `${method} with ${sent ?? 'no'} bytes`
        const first = await asking.told(() => fetching(channels.next().url({ status, bytes }), how))
        const came = cameTo(channels.last(), first, { asked: text, sent, status, bytes })
        if (!came?.holds || !hasMirror) return came
        const headers = { 'x-sent': header, 'x-status': String(status) }
        const url = `http://${host}${path}`
        const again = await asking.told(() => fetching(url, { ...how, headers }))
        if (again.outcome === undefined) return muteness(text, again)
        const { ok } = again.outcome
        // A mirror cannot tell a body of no bytes from none.
        const expected = `${method} ${host}${path} ${header} ${sent || 'no'} bytes`
        const saw = decodeURIComponent(ok?.headers?.['x-seen'] ?? 'nothing')
        const isSame = saw === expected && ok.status === status && ok.text === 'x'.repeat(sent ?? 0)
        const words = isSame ? 'just that' : saw
        if (!isSame || framing === undefined)
          return { asked: expected, holds: isSame, saw: words, reply: again.reply }
        // Others are no evidence when they come to a client.
        const passed = { status: status < 300 ? status : 200, bytes, framing }
        return passedOn(context.edge.as(host), { channels, method, sent, ...passed })
      }
    })
    if (seen) verify(clause, ...seen)
    if (asking.isMute()) return
    const more = [await defaultPorts(context, probe), await sentOn(server, probe)]
    for (const found of more.map(summary)) if (found) verify(clause, ...found)
  }
})
