import { check } from 'plimsoll'
import { type Command, fetching, repeat, tallyOf } from './_command.ts'
import { ampleCpuMs } from './_quota.ts'
import { deployed, openYard } from './_stage.ts'

const internet = 'subrequests.definition-fetch'
const services = 'subrequests.definition-platform-services'
const quota = 'unspecified.implied.object-storage-database-quota'
/** More than any quota of the document allows. */
const beyond = 1_001

const calls: Record<string, Command> = {
  'key-value store': { do: 'kv', call: 'get', args: ['plimsoll'] },
  'object storage': { do: 'object', call: 'head', args: ['plimsoll'] }
}

export default check({
  title: 'Requests to the internet and to other services of the platform are subrequests',
  clauses: [internet, services, quota],
  needs: ['edge', 'probe', 'reach'],
  async run(context) {
    const probe = await deployed(context, { plan: 'free', cpuMs: ampleCpuMs })
    await using yard = await openYard(context)
    const url = yard.lane('kinds').url({ status: 204 })
    const fetched = await probe.ask(repeat(beyond, fetching(url)))
    const tally = tallyOf(fetched)
    if (tally) {
      const saw = `${tally.succeeded} of ${beyond} fetches succeed`
      context.verify(internet, { holds: tally.failed > 0, saw }, fetched)
    }
    for (const [name, call] of Object.entries(calls)) {
      const reply = await probe.ask(repeat(beyond, call))
      const calls = tallyOf(reply)
      if (calls === undefined) continue
      // Which quota these are taken from is told in two ways; that there is one is not.
      const saw = `${name}: ${calls.succeeded} of ${beyond} calls succeed`
      context.verify(services, { holds: calls.failed > 0, saw }, reply)
      if (name === 'object storage') {
        context.observe(quota, `${calls.succeeded} calls, then ${calls.errors.join(', ')}`, reply)
      }
    }
  }
})
