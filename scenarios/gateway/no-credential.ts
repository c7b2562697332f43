import { check } from 'plimsoll'
import { commonDeparture, documentedWay, shownNetworks } from './_way.ts'

const clause = 'gateway.no-auth-shown'

export default check({
  title: 'A call needs no credential: it is served with a Content-Type header alone',
  clauses: [clause],
  needs: ['gateway'],
  async run({ gateway, credentials, verify }) {
    const [network] = shownNetworks as [string]
    const reply = await documentedWay({ gateway, credentials }).ask({ network })
    const departure = await commonDeparture({ gateway, credentials })
    const isDemanded = departure === clause || [401, 403].includes(reply.status)
    if (departure === undefined && !isDemanded) return
    verify(clause, { holds: !isDemanded, saw: reply.because }, reply)
  }
})
