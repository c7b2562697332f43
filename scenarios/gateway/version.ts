import { check } from 'plimsoll'
import { commonDeparture, documentedWay, shownNetworks } from './_way.ts'

const clause = 'versioning.gateway-v1'

export default check({
  title: 'The path of the gateway carries /v1',
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
