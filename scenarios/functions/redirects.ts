import { type Channel, check, pairwise } from 'plimsoll'
import { fetching, outcomeOf, outcomesOf, repeat, series, type Tally } from './_command.ts'
import { ampleCpuMs, deployedOnFirst, openServer, type Probe } from './_stage.ts'

const clause = 'subrequests.redirects-count'
const broken = 'subrequests.definition-fetch'
/** What the plans that are asked about grant a request. */
const most = 50
/** Sixteen chains of two redirects are 48 of these, if each of them counts. */
const [chains, hops] = [16, 2]
const left = most - chains * (hops + 1)

/** In chains every two of these meet: how a request is sent on, and to where. */
const ways = pairwise(
  {
    via: [301, 302, 303, 307, 308],
    method: ['GET', 'POST', 'HEAD'],
    place: ['here', 'at another port', 'by another name']
  },
  { seed: 16 }
)

type Places = { [place: string]: string | undefined }

/** Where chains can lead: here, and back and forth between here and what a function finds. */
async function placesOf(probe: Probe, here: Channel, other: Channel): Promise<Places> {
  const byName = here.url().replace('//127.0.0.1:', '//localhost:')
  const elsewhere = { 'at another port': other.url(), 'by another name': byName }
  const all = Object.entries(elsewhere)
  const asked = all.map(([, to]) => fetching(here.url({ hops: 1, to, status: 204 })))
  const outcomes = outcomesOf(await probe.ask(series(...asked)))
  const found = all.filter((_, at) => outcomes[at]?.ok !== undefined)
  return { here: undefined, ...Object.fromEntries(found) }
}

export default check({
  title: 'Every request that a fetch leads to counts as a subrequest, wherever it leads',
  clauses: [clause, broken],
  needs: ['edge', 'probe', 'reach'],
  async run(context) {
    const probe = await deployedOnFirst(context, ['bundled', 'free'], { cpuMs: ampleCpuMs })
    await using server = await openServer(context)
    await using beside = await openServer(context)
    const channel = server.channel('redirects')
    const places = await placesOf(probe, channel, beside.channel('redirects'))
    const chained = ways.flatMap(({ via, method, place }) => {
      if (!(place in places)) return []
      const url = channel.url({ hops, via, to: places[place], status: 204 })
      // Whether a body can be sent again, as it is behind 307 and 308, is asked by `fetches`.
      return fetching(url, { method, ...(method === 'POST' && via < 307 && { send: 9 }) })
    })
    const plain = fetching(channel.url({ status: 204 }))
    const reply = await probe.ask(series(repeat(chains, chained), repeat(10, plain)))
    const [first, second] = outcomesOf(reply).map(({ ok }) => ok as Tally)
    if (!first || !second) return
    const holds = first.succeeded === chains && second.succeeded === left
    const led = `${first.succeeded} of ${chains} chains of ${hops + 1} requests`
    const saw = `${led} (${Object.keys(places).join(', ')}), then ${second.succeeded} single ones`
    context.verify(clause, { holds, saw }, reply)
    // Whether one whose connection breaks is made again is not said; if so, it is another.
    const cut = server.channel('cut')
    const answer = await probe.ask(fetching(cut.url({ cuts: most + 1, status: 204 })))
    if (outcomeOf(answer) === undefined) return
    const { requests } = cut.seen()
    const within = requests <= most
    // Few requests tell something only where more of them would be refused.
    if (within && !holds) return
    const times = `a fetch whose connection breaks comes ${requests} times`
    context.verify(broken, { holds: within, saw: times }, answer)
  }
})
