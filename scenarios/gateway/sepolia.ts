import { check } from 'plimsoll'
import { documentedWay, isAboutService, isResponse, resultOf, wayTo } from './_way.ts'

const clause = 'gateway.network-sepolia'

export default check({
  title: 'The network sepolia is supported',
  clauses: [clause],
  needs: ['gateway'],
  async run({ gateway, credentials, verify }) {
    const asking = { gateway, credentials }
    const way = await wayTo('sepolia', asking)
    const reply = await (way ?? documentedWay(asking)).ask({ network: 'sepolia' })
    if (!way && isAboutService(reply)) return
    // Where no call gets anything like an answer, it is not about this network.
    if (!way && !isResponse(reply) && !(await wayTo('rinkeby', asking))) return
    // What does not show again that a way is there is no evidence for it.
    if (way && resultOf(reply) === undefined) return
    verify(clause, { holds: way !== undefined, saw: reply.because }, reply)
  }
})
