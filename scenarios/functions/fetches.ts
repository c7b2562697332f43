import { check, generated, summary } from 'plimsoll'
import { fetching, outcomeOf } from './_command.ts'
import { defaultPorts } from './_default-ports.ts'
import { cameTo, channelsOf, listeningTo, passedOn } from './_fetched.ts'
import { mirror } from './_mirror.ts'
import { muteness, told } from './_mute.ts'
import { sentOn } from './_sent-on.ts'
import { anyProbe, openServer } from './_stage.ts'

const clause = 'functions.service.fetch'
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const withBody = ['POST', 'PUT', 'PATCH']
/** Those that HTTP knows more of than that they are one of hundreds, and that lead nowhere else. */
const statuses = [200, 201, 203, 206, 300, 305, 400, 404, 410, 416, 500, 599]
const longest = 200_000

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
