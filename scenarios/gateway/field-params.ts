import { check, type Judge, matrix, type Reply } from 'plimsoll'
import { isItem, quoted } from '../_reply.ts'
import { anyWay, commonDeparture, isAboutService, resultOf, type Way } from './_way.ts'

const clause = 'gateway.request.field.params'

/** Low numbers for young chains, and one at which a public chain has long been busy. */
const blocks = ['0x1', '0x2', '0x3', '0x4', '0x10', '0x5b8d80']

/** Methods that need no params (EIP-1474): an array of none is as good as none at all. */
const bare = ['eth_chainId', 'eth_blockNumber', 'net_version', 'eth_gasPrice', 'eth_syncing']

/** Whether arrays of any length are taken, by methods that a target may have or not. */
async function ofAnyLength(
  { verify }: Pick<Judge, 'verify'>,
  { network, way, count }: { network: string; way: Way; count: number }
) {
  for (const method of bare) {
    const without = await way.ask({ network, method, params: 'none' })
    const reply = await way.ask({ network, method, params: [] })
    if (resultOf(without) === undefined || isAboutService(reply)) continue
    const saw = `${method} with []: ${quoted(reply.json)}, without: ${quoted(resultOf(without))}`
    verify(clause, { holds: resultOf(reply) !== undefined, saw }, reply, without)
  }
  const method = 'eth_getBlockTransactionCountByNumber'
  const reply = await way.ask({ network, method, params: ['0x0'] })
  const told = resultOf(reply)
  if (typeof told !== 'string') return
  const saw = `${method} with one: ${told}, where the block has ${count}`
  verify(clause, { holds: Number(told) === count, saw }, reply)
}

/** Numbers whose digits are written otherwise in capitals, of blocks that there are or not. */
const lettered = ['0xa', '0xb', '0x1f', '0x5b8d8f', '0xabcdef01']

/** A hexadecimal number is the same in small letters, in capitals and in both. */
async function inAnyDigits(
  { verify }: Pick<Judge, 'verify'>,
  { network, way }: { network: string; way: Way }
) {
  for (const [at, small] of lettered.entries()) {
    const capital = small.replace(/[a-f]/g, (digit) => digit.toUpperCase())
    const mixed = small.replace(/[a-f](?=[^a-f]*$)/, (digit) => digit.toUpperCase())
    const replies: Reply[] = []
    for (const block of [small, capital, mixed])
      replies.push(await way.ask({ network, block, full: at % 2 === 1 }))
    if (replies.some(isAboutService)) continue
    const told = replies.map(resultOf)
    const isSame = told.every((one) => (one === undefined) === (told[0] === undefined))
    const came = replies.map(({ json }) => quoted(json)).join(', ')
    const saw = `${small}, in capitals, in both: ${came}`
    verify(clause, { holds: isSame, saw }, ...(replies as [Reply]))
  }
}

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
    if (isTaken) await inAnyDigits({ verify }, { network, way })
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
    const first = resultOf(await way.ask({ network }))
    const { length: count = 0 } = isItem(first) ? [first.transactions].flat() : []
    if (isTaken) await ofAnyLength({ verify }, { network, way, count })
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
