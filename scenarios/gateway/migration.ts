import { check } from 'plimsoll'
import { isAboutService, type Query, resultOf, wayTo } from './_way.ts'

const clause = 'gateway.migrate-last-segment-only'

/** Bodies a client of the deprecated network may send. */
const bodies: Omit<Query, 'network'>[] = [
  { block: '0x0', full: false, id: 1 },
  { block: '0x0', full: true, id: 2 },
  { block: '0x1', full: true, id: 73 }
]

export default check({
  title: 'A client migrates from rinkeby to sepolia by its last path segment alone',
  clauses: [clause],
  needs: ['gateway'],
  async run({ gateway, credentials, verify }) {
    const asking = { gateway, credentials }
    const [old, supported] = [await wayTo('rinkeby', asking), await wayTo('sepolia', asking)]
    if (!supported) return
    const way = old ?? supported
    // A departure of both is the matter of its own clause.
    if (!old && supported.departure) return
    for (const body of bodies) {
      const before = await way.ask({ ...body, network: 'rinkeby' })
      const after = await way.ask({ ...body, network: 'sepolia' })
      if (isAboutService(after)) return
      const isTaken = resultOf(after) !== undefined
      // What was refused before need not be taken afterwards.
      if (old && resultOf(before) === undefined) continue
      const saw = `rinkeby: ${before.because}, sepolia: ${after.because}`
      verify(clause, { holds: isTaken, saw }, before, after)
    }
  }
})
