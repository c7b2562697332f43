import { check, type Reply } from 'plimsoll'
import { anonymous, bearing } from '../_credential.ts'
import { freshId } from '../_id.ts'
import { byOutcome } from '../_outcomes.ts'

const clause = 'unspecified.gateway.credentials'

export default check({
  title: 'What the gateway makes of a credential, since none is shown',
  clauses: [clause],
  needs: ['gateway'],
  async run({ gateway, random, observe }) {
    const json = { jsonrpc: '2.0', method: 'eth_getBlockByNumber', params: ['0x0', false], id: 1 }
    const ask = (client: typeof gateway) => client.post('/v1/sepolia', { json })
    const callers = {
      'no credential': anonymous(gateway),
      'a token nobody was given': bearing(freshId(random), gateway),
      'a legacy pair nobody was given': anonymous(gateway).with({
        'x-auth-email': 'nobody@example.test',
        'x-auth-key': freshId(random)
      })
    }
    const replies: Reply[] = []
    for (const client of Object.values(callers)) replies.push(await ask(client))
    const outcomes = Object.keys(callers).map((asked, index) => {
      return { asked, came: replies[index]!.because }
    })
    observe(clause, byOutcome(outcomes), ...(replies as [Reply, ...Reply[]]))
  }
})
