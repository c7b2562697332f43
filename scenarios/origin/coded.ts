import { check, isOk, type Look, summary } from 'plimsoll'
import { times } from '../_mute.ts'
import { hasBytes } from '../_reply.ts'
import { openServer } from '../functions/_stage.ts'

const clause = 'limits.response.no-size-limit'
const bytes = 9
const types = ['text/javascript', 'application/octet-stream']

export default check({
  title: 'What a server sends in a coding that nobody on the way knows arrives all the same',
  clauses: [clause],
  // Where the edge serves the same without a coding, an answer that is cut off each time is none.
  expectedReplies: ['closed', 500],
  needs: ['edge', 'zone', 'origin', 'reach'],
  async run({ adapter, edge, verify, ...context }) {
    await using server = await openServer({ adapter, edge, ...context })
    const { id, host } = await adapter.zone('enterprise')
    const channel = server.channel('coded')
    await adapter.origin(id, new URL(channel.url()).origin)
    const looks: Look[] = []
    for (const type of types) {
      const returned = 'content-encoding'
      const { pathname, search } = new URL(
        channel.url({ returned, type, framing: 'chunked', bytes })
      )
      const ask = (headers = {}) => edge.as(host).get(pathname + search, { headers })
      // It is the client's to decode (RFC 9110, 8.4).
      const coded = () => ask({ [returned]: 'plimsoll' })
      let reply = await coded()
      for (let time = 1; time < times && !isOk(reply); time++) reply = await coded()
      // What is not served anyway, or is nobody's answer, shows nothing of a coding.
      if (!isOk(await ask())) continue
      const holds = isOk(reply) && hasBytes(reply, bytes)
      const saw = `${reply.because}, ${reply.received} of ${bytes} bytes`
      looks.push({ asked: `${type} in a coding of its own`, holds, saw, reply })
    }
    const found = summary(looks)
    if (found) verify(clause, ...found)
  }
})
