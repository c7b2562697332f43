import { type Channel, type Context, check, type Judge } from 'plimsoll'
import {
  type Command,
  fetching,
  outcomesOf,
  repeat,
  series,
  type Tally,
  tallyOf
} from './_command.ts'
import { ampleCpuMs, type CallableServer, deployed, openServer, type Probe } from './_stage.ts'

const internet = 'subrequests.definition-fetch'
const platform = 'subrequests.definition-platform-services'
const keyValue = 'limits.subrequests.internal.key-value'
const ofEach = 'limits.function.subrequests.bundled'
const quota = 'unspecified.implied.object-storage-database-quota'
/** More than the quota of plan bundled, and more than any quota of the document. */
const most = 1_000
const [beyondBundled, beyondAll] = [60, most + 1]
/** Fetches before all that, which take nothing from another quota. */
const few = 20

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

/** How often each way to fetch is tried in turn, and then as often all at once. */
const times = 4

type Way = [wanted: Parameters<Channel['url']>[0], how?: Record<string, unknown>]

/** Ways to fetch, each of which is a request, whatever comes of it. */
const ways: Way[] = [
  [{}],
  [{ status: 500 }, { body: 'text' }],
  [{ status: 404 }, { body: 'cancel' }],
  [{ hops: 1 }, { redirect: 'manual' }],
  // Who is not answered has asked all the same.
  [{ cuts: Infinity }],
  [{ status: 204 }, { method: 'HEAD' }],
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method): Way => [{}, { method, send: 9 }])
]

/** Whether fetches in every way use up as much as others, and nothing else. */
async function inEveryWay(
  { verify }: Context & Judge,
  { probe, server, most }: { probe: Probe; server: CallableServer; most: number }
): Promise<void> {
  const channels = ways.map((_, way) => server.channel(`way-${way}`))
  const half = times * ways.length
  const fetches = Array.from({ length: 2 * half }, (_, at) => {
    const [wanted, how] = ways[at % ways.length]!
    return fetching(channels[at % ways.length]!.url({ ...wanted, name: `${at}` }), how)
  })
  const behind = services['key-value store']!
  const atOnce = { ...repeat(half, fetches.slice(half)), together: true }
  const reply = await probe.ask(
    series(repeat(half, fetches), atOnce, repeat(behind.length, behind))
  )
  const stored: Tally | undefined = outcomesOf(reply)[2]?.ok
  if (stored === undefined) return
  // One that is made again, since its connection breaks, is no other.
  const made = channels.map((channel) => new Set(channel.seen().order).size)
  const sum = made.reduce((one, other) => one + other)
  const saw = `${sum} of ${2 * half} are made, of which each way has ${made.join(', ')}`
  verify(internet, { holds: sum <= most, saw }, reply)
  // Whether one that fails may count for more is not said.
  const next = `behind a request that made ${most}, in every way: ${saw}`
  verify(ofEach, { holds: sum > most / 2, saw: next }, reply)
  const left = `behind as many fetches as there may be: ${stored.succeeded} of ${behind.length}`
  if (sum === most)
    verify(keyValue, { holds: stored.failed === 0, saw: `key-value store, ${left}` }, reply)
}

export default check({
  title: 'Requests to the internet and to other services of the platform are subrequests',
  clauses: [internet, platform, keyValue, ofEach, quota],
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
      if (made < beyondBundled) await inEveryWay(context, { probe: bundled, server, most: made })
    }
    const beside = repeat(few, fetching(channel.url({ status: 204 })))
    // Which quota these are taken from is told in two ways; that there is one is not.
    for (const [name, call] of Object.entries(services)) {
      const reply = await standard.ask(series(beside, repeat(beyondAll, call)))
      const calls: Tally | undefined = outcomesOf(reply)[1]?.ok
      if (calls === undefined) continue
      const saw = `${name}, behind ${few} fetches: ${calls.succeeded} of ${beyondAll} calls succeed`
      context.verify(platform, { holds: calls.failed > 0, saw }, reply)
      // Of these the quota is said to be the same on every plan, and to be their own.
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
