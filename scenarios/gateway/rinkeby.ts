import { check } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isItem, quoted } from '../_reply.ts'
import { anyWay, chainOf, isAboutService, resultOf } from './_way.ts'

const clause = 'gateway.network-rinkeby'

export default check({
  title: 'The network rinkeby is itself, or it is refused; no other answers in its name',
  clauses: [clause],
  needs: ['gateway'],
  async run({ gateway, credentials, random, verify }) {
    const found = await anyWay({ gateway, credentials })
    if (!found) return
    const ask = (network: string) => found.way.ask({ network })
    const rinkeby = await ask('rinkeby')
    if (isAboutService(rinkeby)) return
    const first = quoted(resultOf(rinkeby))
    if (resultOf(rinkeby) === undefined)
      return verify(clause, { holds: true, saw: `refused: ${rinkeby.because}` }, rinkeby)
    // What is no block is the matter of the method.
    if (!isItem(resultOf(rinkeby))) return
    // Where every name will do, that is the matter of how networks are selected.
    const unknown = await ask(`network-${freshId(random).slice(0, 8)}`)
    if (resultOf(unknown) !== undefined) return
    const sepolia = await ask('sepolia')
    if (isAboutService(sepolia)) return
    const holds = chainOf(sepolia) !== chainOf(rinkeby)
    const saw = `the first block is ${holds ? 'not' : 'also'} that of sepolia: ${first}`
    verify(clause, { holds, saw }, rinkeby, sepolia)
  }
})
