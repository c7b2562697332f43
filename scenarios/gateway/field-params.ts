import { check, matrix } from 'plimsoll'
import { isItem, quoted } from '../_reply.ts'
import { anyWay, commonDeparture, resultOf, type Way } from './_way.ts'

const clause = 'gateway.request.field.params'

/** Low numbers for young chains, and one at which a public chain has long been busy. */
const blocks = ['0x1', '0x2', '0x3', '0x4', '0x10', '0x5b8d80']

/** Asks for blocks by their hashes of transactions until one has any. */
async function busyBlock({ network, way }: { network: string; way: Way }) {
  for (const block of blocks) {
    const reply = await way.ask({ network, block, full: false })
    const found = resultOf(reply)
    const transactions = isItem(found) ? found.transactions : []
    if (Array.isArray(transactions) && transactions.length > 0)
      return { block, transactions, reply }
  }
  return undefined
}

export default check({
  title: 'The block query takes a hexadecimal number, and whether transactions are shown in full',
  clauses: [clause],
  needs: ['gateway'],
  async run({ gateway, credentials, verify }) {
    const asking = { gateway, credentials }
    const found = await anyWay(asking)
    if (!found) return
    const { network, way } = found
    const isTaken = (await commonDeparture(asking)) !== clause
    // Of the last no chain has a block yet: it may be refused, or be none, but be no other one.
    const numbers = ['0x0', '0x1', '0x2', '0x5', '0xA', '0xfffffffffff']
    for (const { block, full } of matrix({ block: numbers, full: [false, true] })) {
      const reply = await way.ask({ network, block, full })
      const told = resultOf(reply)
      if (!isItem(told)) continue
      const kinds = [told.transactions].flat().map((one) => typeof one)
      const saw = `asked for ${block}, ${full}: got ${quoted(told.number)} with ${quoted(kinds)}`
      const isShown = kinds.every((kind) => kind === (full ? 'object' : 'string'))
      const holds = isTaken && isShown && Number(told.number) === Number(block)
      verify(clause, { holds, saw }, reply)
    }
    const busy = await busyBlock({ network, way })
    if (!busy) return
    const { block, transactions: brief, reply: briefly } = busy
    const fully = await way.ask({ network, block, full: true })
    const full: unknown[] = [(resultOf(fully) as any)?.transactions].flat()
    const isBrief = brief.every((item) => typeof item === 'string')
    // They are the same transactions, in the same order, however much is told of each.
    const isSame = (item: unknown, index: number) => isItem(item) && item.hash === brief[index]
    const isFull = full.length === brief.length && full.every(isSame)
    const saw = `false: ${quoted(brief[0])}, true: ${quoted(full[0])}`
    verify(clause, { holds: isBrief && isFull, saw }, briefly, fully)
  }
})
