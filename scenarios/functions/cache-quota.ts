import { check } from 'plimsoll'
import { cacheCalls, cachesOf } from './_caches.ts'
import { type Command, fetching, outcomesOf, repeat, series, type Tally } from './_command.ts'
import { anyProbe, deployed, openServer, type Probe } from './_stage.ts'

const counts = 'cache-api.counted-calls'
const shared = 'cache-api.shared-quota-with-fetch'
/** More than any plan has. */
const beyond = 1_005

/** How often each of some commands, or several in turn, succeeds when they are repeated. */
async function tallies(probe: Probe, commands: [times: number, of: Command | Command[]][]) {
  const reply = await probe.ask(series(...commands.map(([times, of]) => repeat(times, of))))
  const outcomes = outcomesOf(reply)
  return { reply, succeeded: outcomes.map(({ ok }) => (ok as Tally | undefined)?.succeeded) }
}

export default check({
  title: 'Putting into, asking and emptying the cache count, and share one quota with fetch',
  clauses: [counts, shared],
  tier: 'full',
  needs: ['edge', 'probe', 'reach'],
  async run(context) {
    const [able, small] = [await anyProbe(context), await deployed(context, { plan: 'bundled' })]
    await using server = await openServer(context)
    const fetched = fetching(server.channel('quota').url({ status: 204 }))
    // Every other one is about what nobody has put.
    const caches = await cachesOf(able)
    const calling = (call: string, { host }: Probe): Command[] =>
      ['plimsoll-cached', call === 'put' ? 'plimsoll-cached-too' : 'plimsoll-nowhere'].flatMap(
        (name) => caches({ do: 'cache', call, url: `http://${host}/${name}` })
      )
    for (const call of cacheCalls) {
      const alone = await tallies(able, [[beyond, calling(call, able)]])
      const [succeeded] = alone.succeeded
      if (succeeded === undefined) continue
      const isCounted = succeeded < beyond
      const seen = `cache.${call}: ${succeeded} of ${beyond}`
      context.verify(counts, { holds: isCounted, saw: seen }, alone.reply)
      // Of calls that count toward nothing there is no more to tell.
      if (!isCounted) continue
      const mixed = await tallies(small, [
        [30, fetched],
        [30, calling(call, small)],
        [5, fetched]
      ])
      if (mixed.succeeded.length < 3) continue
      const [, second, third] = mixed.succeeded
      const saw = `30 fetches, then cache.${call}: ${second} of 30, then fetch: ${third} of 5`
      context.verify(shared, { holds: `${mixed.succeeded}` === '30,20,0', saw }, mixed.reply)
    }
  }
})
