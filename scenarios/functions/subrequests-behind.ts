import { setTimeout as pause } from 'node:timers/promises'
import { type Channel, check, type Reply } from 'plimsoll'
import { createTally } from '../_tally.ts'
import { isQuiet } from './_behind-answers.ts'
import { type Command, fetching, outcomeOf, repeat, series, waiting } from './_command.ts'
import { ampleCpuMs, deployed, openServer, type Probe, patienceMs } from './_stage.ts'

const subrequests = 'limits.function.subrequests.bundled'
const shared = 'cache-api.shared-quota-with-fetch'
const internal = 'limits.subrequests.internal.key-value'
/** What a request may make of each, and how many of them before it is answered. */
const [most, before] = [50, 30]
const [mostInternal, beforeInternal] = [1_000, 980]
/** An answer is there after so long, and what is put is where it is looked for. */
const [leadMs, settleMs] = [500, 2_400]

/** Goes on behind an answer, and another way while that is sent, for 2 s. */
const behind = (...all: Command[]) => ({ do: 'waitUntil', of: series(waiting(leadMs), ...all) })
const meanwhile = (...all: Command[]) =>
  series(
    { do: 'begin', of: series(waiting(leadMs), ...all) },
    { do: 'stream', bytes: 20, dripMs: 100 }
  )

/** By what is called behind 30 fetches: how many requests come of all, and whose quota that is. */
function waysTo(probe: Probe): [asked: string, of: (own: Channel) => Command, due: number][] {
  const match = { do: 'cache', call: 'match', url: `http://${probe.host}/plimsoll-nowhere` }
  const fetches = (own: Channel) => repeat(before, fetching(own.url({ status: 204 })))
  const chains = (own: Channel) => repeat(before, fetching(own.url({ status: 204, hops: 2 })))
  return [
    ['fetches', (own) => behind(fetches(own)), most],
    ['fetches while the answer is sent', (own) => meanwhile(fetches(own)), most],
    ['chains of redirects', (own) => behind(chains(own)), most],
    ['15 cache calls and fetches', (own) => behind(repeat(15, match), fetches(own)), most - 15]
  ]
}

/** Which of several puts behind an answer was the last that was made. */
async function lastPut(probe: Probe): Promise<{ last: number; reply: Reply }> {
  const name = `plimsoll-${crypto.randomUUID()}`
  const kv = (call: string, ...args: string[]) => ({ do: 'kv', call, args: [name, ...args] })
  const puts = Array.from({ length: 40 }, (_, at) => kv('put', `${beforeInternal + at + 1}`))
  await probe.ask(series(repeat(beforeInternal, kv('get')), behind(...puts)))
  await pause(leadMs + settleMs)
  const reply = await probe.ask(kv('get'))
  return { last: Number(outcomeOf(reply)?.ok), reply }
}

export default check({
  title: 'What a function calls behind its answer counts with what it called before',
  clauses: [subrequests, shared, internal],
  tier: 'full',
  needs: ['edge', 'probe', 'reach'],
  async run(context) {
    const probe = await deployed(context, { plan: 'bundled', cpuMs: ampleCpuMs })
    await using server = await openServer(context)
    const tally = createTally()
    const fetched = waysTo(probe).map(async ([asked, of, due]) => {
      const own = server.channel(asked)
      const first = repeat(before, fetching(own.url({ status: 204 })))
      const reply = await probe.ask(series(first, of(own)))
      await own.until(({ requests }) => requests >= due, patienceMs)
      await isQuiet(own)
      const { requests } = own.seen()
      const saw = `${requests} requests come, ${before} of them before the answer`
      // That nothing is called there any more is the matter of others.
      if (requests < due) return
      tally.add(due === most ? subrequests : shared, { asked, holds: requests === due, saw, reply })
    })
    await Promise.all(fetched)
    const { last, reply } = await lastPut(probe)
    const saw = `behind ${beforeInternal} calls before the answer the last put is call ${last}`
    if (last >= mostInternal)
      tally.add(internal, { asked: 'puts', holds: last === mostInternal, saw, reply })
    tally.tell(context)
  }
})
