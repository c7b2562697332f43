import { check } from 'plimsoll'
import { commonDeparture, documentedWay, shownNetworks } from './_way.ts'

const clause = 'gateway.request.field.jsonrpc'

export default check({
  title: 'The field jsonrpc is the string "2.0"',
  clauses: [clause],
  needs: ['gateway'],
  async run({ gateway, credentials, verify }) {
    const departure = await commonDeparture({ gateway, credentials })
    if (departure === undefined) return
    const [network] = shownNetworks as [string]
    const reply = await documentedWay({ gateway, credentials }).ask({ network })
    verify(clause, { holds: departure !== clause, saw: reply.because }, reply)
  }
})
