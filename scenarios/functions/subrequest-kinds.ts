import { check } from 'plimsoll'
import { type Command, fetching, repeat, tallyOf } from './_command.ts'
import { ampleCpuMs, deployed, openServer } from './_stage.ts'

const internet = 'subrequests.definition-fetch'
const platform = 'subrequests.definition-platform-services'
const keyValue = 'limits.subrequests.internal.key-value'
const quota = 'unspecified.implied.object-storage-database-quota'
/** More than the quota of plan bundled, and more than any quota of the document. */
const most = 1_000
const [beyondBundled, beyondAll] = [60, most + 1]

const kv = (call: string, ...args: unknown[]): Command => ({ do: 'kv', call, args })
const object = (call: string, ...args: unknown[]): Command => ({ do: 'object', call, args })

/** What is put now and then, and what is asked in between: every call of a service in turn. */
const turns = (put: Command, ...others: Command[]) => [put, ...others, ...others, ...others]

/** Where one of the calls to a service does not count, too many of all succeed. */
const services: Record<string, readonly Command[]> = {
  'key-value store': turns(
    kv('put', 'plimsoll', 'v'),
    kv('get', 'plimsoll'),
    kv('list', { prefix: 'plimsoll' }),
    kv('delete', 'plimsoll')
  ),
  'object storage': turns(
    object('put', 'plimsoll', 'v'),
    object('head', 'plimsoll'),
    object('get', 'plimsoll'),
    object('list', { prefix: 'plimsoll' }),
    object('delete', 'plimsoll')
  )
}

export default check({
  title: 'Requests to the internet and to other services of the platform are subrequests',
  clauses: [internet, platform, keyValue, quota],
  needs: ['edge', 'probe', 'reach'],
  async run(context) {
    const [bundled, standard] = [
      await deployed(context, { plan: 'bundled', cpuMs: ampleCpuMs }),
      await deployed(context, { plan: 'standard', cpuMs: ampleCpuMs })
    ]
    await using server = await openServer(context)
    const channel = server.channel('kinds')
    const fetched = await bundled.ask(repeat(beyondBundled, fetching(channel.url({ status: 204 }))))
    const tally = tallyOf(fetched)
    if (tally) {
      // What becomes of one beyond the quota is not said: it may seem to succeed.
      const made = Math.min(tally.succeeded, channel.seen().requests)
      const saw = `${made} of ${beyondBundled} fetches are made`
      context.verify(internet, { holds: made < beyondBundled, saw }, fetched)
    }
    // Which quota these are taken from is told in two ways; that there is one is not.
    for (const [name, call] of Object.entries(services)) {
      const reply = await standard.ask(repeat(beyondAll, call))
      const calls = tallyOf(reply)
      if (calls === undefined) continue
      const saw = `${name}: ${calls.succeeded} of ${beyondAll} calls succeed`
      context.verify(platform, { holds: calls.failed > 0, saw }, reply)
      // Of these the quota is said to be the same on every plan.
      if (name === 'key-value store')
        context.verify(keyValue, { holds: calls.succeeded === most, saw }, reply)
    }
    const reply = await bundled.ask(repeat(beyondBundled, services['object storage']!))
    const stored = tallyOf(reply)
    if (!stored) return
    const seen = `${stored.succeeded} of ${beyondBundled} calls to object storage on plan bundled`
    context.observe(quota, `${seen}; ${stored.errors.join(', ') || 'none is refused'}`, reply)
  }
})
