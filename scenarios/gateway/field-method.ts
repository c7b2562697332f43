import { check } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isItem, quoted } from '../_reply.ts'
import { anyWay, resultOf } from './_way.ts'

const clause = 'gateway.request.field.method'

export default check({
  title: 'The field method says what is asked for: the block query gets a block',
  clauses: [clause],
  needs: ['gateway'],
  async run({ gateway, credentials, random, verify }) {
    const found = await anyWay({ gateway, credentials })
    if (!found) return
    const { network, way } = found
    const block = await way.ask({ network })
    const saw = `the block query gets ${quoted(resultOf(block))}`
    verify(clause, { holds: isItem(resultOf(block)), saw }, block)
    const method = `no_such_${freshId(random).slice(0, 8)}`
    const none = await way.ask({ network, method })
    const came = `${method} gets ${none.because}, ${quoted(none.json?.error ?? none.json?.result)}`
    verify(clause, { holds: resultOf(none) === undefined, saw: came }, none)
  }
})
