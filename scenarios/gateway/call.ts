import { check } from 'plimsoll'
import { isBesideThePoint, quoted } from '../_reply.ts'
import { commonDeparture, documentedWay, isResponse, shownNetworks } from './_way.ts'

const clause = 'gateway.json-rpc-call'

export default check({
  title: 'A call sent by POST to /v1/{network} gets a response of JSON-RPC 2.0',
  clauses: [clause],
  needs: ['gateway'],
  async run({ gateway, credentials, verify }) {
    const { ask } = documentedWay({ gateway, credentials })
    const replies = await Promise.all(shownNetworks.map((network) => ask({ network })))
    const [reply, ...others] = replies.filter((reply) => !isBesideThePoint(reply))
    if (!reply) return
    const holds = [reply, ...others].some(isResponse)
    // Who is served in another way has found the call, and another clause not to hold.
    if (!holds && (await commonDeparture({ gateway, credentials }))) return
    const saw = replies.map(
      ({ because, json }, index) => `${shownNetworks[index]}: ${because}, ${quoted(json)}`
    )
    verify(clause, { holds, saw: saw.join(', ') }, reply, ...others)
  }
})
