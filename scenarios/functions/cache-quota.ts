import { check } from 'plimsoll'
import { type Command, fetching, outcomesOf, repeat, series, type Tally } from './_command.ts'
import { deployed, openYard, type Probe } from './_stage.ts'

const counts = 'cache-api.counted-calls'
const shared = 'cache-api.shared-quota-with-fetch'
const quota = 50
const calls = ['put', 'match', 'delete']

/** How often each of some commands succeeds when they are repeated one after the other. */
async function tallies(probe: Probe, commands: [times: number, of: Command][]) {
  const reply = await probe.ask(series(...commands.map(([times, of]) => repeat(times, of))))
  const outcomes = outcomesOf(reply)
  return { reply, succeeded: outcomes.map(({ ok }) => (ok as Tally | undefined)?.succeeded) }
}

export default check({
  title: 'Putting into, asking and emptying the cache count, and share one quota with fetch',
  clauses: [counts, shared],
  needs: ['edge', 'probe', 'reach'],
  async run(context) {
    const probe = await deployed(context, { plan: 'bundled' })
    await using yard = await openYard(context)
    const url = `http://${probe.host}/plimsoll-cached`
    const fetched = fetching(yard.lane('quota').url({ status: 204 }))
    const calling = (call: string): Command => ({ do: 'cache', call, url })
    for (const call of calls) {
      const { reply, succeeded } = await tallies(probe, [[quota + 5, calling(call)]])
      if (succeeded[0] === undefined) continue
      const saw = `cache.${call}: ${succeeded[0]} of ${quota + 5}`
      context.verify(counts, { holds: succeeded[0] === quota, saw }, reply)
    }
    for (const call of calls) {
      const { reply, succeeded } = await tallies(probe, [
        [30, fetched],
        [30, calling(call)],
        [5, fetched]
      ])
      if (succeeded.length < 3) continue
      const saw = `30 fetches, then cache.${call}: ${succeeded[1]} of 30, then fetch: ${succeeded[2]} of 5`
      context.verify(shared, { holds: `${succeeded}` === '30,20,0', saw }, reply)
    }
  }
})
