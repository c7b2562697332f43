import { check } from 'plimsoll'
import { fetching, outcomeOf, outcomesOf, repeat, series, type Tally } from './_command.ts'
import { ampleCpuMs, deployedOnFirst, openServer } from './_stage.ts'

const clause = 'subrequests.redirects-count'
const broken = 'subrequests.definition-fetch'
/** What the plans that are asked about grant a request. */
const most = 50
/** With which statuses a request is sent on; each chain has one of them. */
const statuses = [301, 302, 303, 307, 308]
const chains = 12
const hops = 3

export default check({
  title: 'Every request that a fetch leads to counts as a subrequest',
  clauses: [clause, broken],
  needs: ['edge', 'probe', 'reach'],
  async run(context) {
    const probe = await deployedOnFirst(context, ['bundled', 'free'], { cpuMs: ampleCpuMs })
    await using server = await openServer(context)
    const channel = server.channel('redirects')
    // Twelve chains of three redirects are 48 of the 50 subrequests, if each of them counts.
    const chained = statuses.map((via) => fetching(channel.url({ hops, via, status: 204 })))
    const plain = fetching(channel.url({ status: 204 }))
    const reply = await probe.ask(series(repeat(chains, chained), repeat(10, plain)))
    const [first, second] = outcomesOf(reply).map(({ ok }) => ok as Tally)
    if (!first || !second) return
    const chainsSaw =
      `${first.succeeded} of ${chains} chains of ${hops + 1} requests, then ${second.succeeded} ` +
      `single ones; the backend saw ${channel.seen().requests}`
    const holds = first.succeeded === chains && second.succeeded === 2
    context.verify(clause, { holds, saw: chainsSaw }, reply)
    // Whether one whose connection breaks is made again is not said; if so, it is another.
    const cut = server.channel('cut')
    const answer = await probe.ask(fetching(cut.url({ cuts: most + 1, status: 204 })))
    if (outcomeOf(answer) === undefined) return
    const { requests } = cut.seen()
    const within = requests <= most
    // Few requests tell something only where more of them would be refused.
    if (within && !holds) return
    const saw = `a fetch whose connection breaks comes ${requests} times`
    context.verify(broken, { holds: within, saw }, answer)
  }
})
