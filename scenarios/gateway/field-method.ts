import { check } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isItem, quoted } from '../_reply.ts'
import { anyWay, documentedWay, resultOf, shownNetworks } from './_way.ts'

const clause = 'gateway.request.field.method'

export default check({
  title: 'The field method says what is asked for: the block query gets a block',
  clauses: [clause],
  needs: ['gateway'],
  async run({ gateway, credentials, random, verify }) {
    const asking = { gateway, credentials }
    const found = await anyWay(asking)
    const [network] = shownNetworks as [string]
    const asked = found ?? { network, way: documentedWay(asking) }
    const ask = (method?: string) => asked.way.ask({ network: asked.network, method })
    const method = `no_such_${freshId(random).slice(0, 8)}`
    const [block, none] = [await ask(), await ask(method)]
    // Who has no block for anybody may still tell one method from another.
    const isTold = resultOf(block) != null && resultOf(none) === undefined
    if (!found && !isTold) return
    const saw = `the block query gets ${quoted(resultOf(block))}`
    verify(clause, { holds: isItem(resultOf(block)), saw }, block)
    const came = `${method} gets ${none.because}, ${quoted(none.json?.error ?? none.json?.result)}`
    verify(clause, { holds: resultOf(none) === undefined, saw: came }, none)
  }
})
