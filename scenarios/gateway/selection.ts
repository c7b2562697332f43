import { check, type Look, type Reply, summary } from 'plimsoll'
import { freshId } from '../_id.ts'
import { quoted } from '../_reply.ts'
import {
  anyWay,
  chainOf,
  commonDeparture,
  isAboutService,
  isDefect,
  resultOf,
  shownNetworks,
  type Way
} from './_way.ts'

const clause = 'gateway.network-last-segment'

/** The shown networks once more, the other way round and by several calls at the same time. */
async function askedAgain({ ask }: Way) {
  const backwards = []
  for (const network of shownNetworks.toReversed())
    backwards.push({ network, reply: await ask({ network }), how: 'behind the others' })
  const several = [...shownNetworks, ...shownNetworks].map(async (network) => ({
    ...{ network, reply: await ask({ network }), how: 'beside the others' }
  }))
  return [...backwards, ...(await Promise.all(several))]
}

export default check({
  title: 'The network is selected by the last segment of the path',
  clauses: [clause],
  needs: ['gateway'],
  async run({ gateway, credentials, random, verify }) {
    const asking = { gateway, credentials }
    const found = await anyWay(asking)
    if (!found) return
    const names = [...shownNetworks, `network-${freshId(random).slice(0, 8)}`]
    const replies: Reply[] = []
    // One after another goes over one connection: what was asked for before must not decide.
    for (const network of names) replies.push(await found.way.ask({ network }))
    const [one, another, ...more] = replies.filter((reply) => !isAboutService(reply))
    if (!one || !another) return
    const chains = new Set([one, another, ...more].map(chainOf))
    const isLast = (await commonDeparture(asking)) !== clause
    const saw = isLast
      ? `the same query gets ${chains.size} different answers from ${names.join(', ')}`
      : 'a network is found by the segment before the last'
    verify(clause, { holds: isLast && chains.size > 1, saw }, one, another, ...more)
    const again = await askedAgain(found.way)
    const looks = again.flatMap(({ network, reply, how }): Look[] => {
      const before = replies[names.indexOf(network)]!
      if ([before, reply].some(isAboutService)) return []
      const holds = chainOf(reply) === chainOf(before)
      const saw = `${reply.because}, ${quoted(resultOf(reply))}`
      return [{ asked: `${network} ${how}`, holds, saw, reply }]
    })
    const same = summary(looks)
    if (same) verify(clause, ...same)
    // What a name gets that is no network's is left open, but it is no defect of who asks.
    const stray = replies.at(-1)!
    const came = `${names.at(-1)} gets ${stray.because}, ${quoted(stray.json)}`
    verify(clause, { holds: !isDefect(stray), saw: came }, stray)
  }
})
