import { setTimeout as pause } from 'node:timers/promises'
import { type Channel, check } from 'plimsoll'
import { type Command, fetching, inWords, outcomesOf, series, together } from './_command.ts'
import { askToLeave } from './_departure.ts'
import { anyProbe, openServer, patienceMs } from './_stage.ts'
import { workPerMs } from './_work.ts'

const clause = 'runtime.disconnect-cancels'
/** Processor time of whoever is there when all of them leave, and how soon they do. */
const [busyMs, leaveMs] = [100, 40]
const rounds = 3

/** All that a function may be about to do when its client has gone. */
function lasts(channel: Channel): Command[] {
  const waits = ['wait', 'waitUntil'].map((name) => ({ do: name, ms: 1, of: { do: 'time' } }))
  const asks = [fetching(channel.url()), { do: 'kv', call: 'get', args: ['nothing'] }]
  const ends = [{ do: 'count' }, { do: 'throw', message: 'gone' }, { do: 'stream', bytes: 9 }]
  return [...waits, ...asks, { do: 'log', text: 'gone' }, ...ends]
}

export default check({
  title: 'Clients that leave, whatever is done for them at that moment, take nothing from others',
  clauses: [clause],
  needs: ['edge', 'probe', 'reach'],
  async run(context) {
    const probe = await anyProbe(context)
    await using server = await openServer(context)
    const [stays, gone] = [server.channel('stays'), server.channel('gone')]
    const perMs = await workPerMs({ edge: context.edge, ask: probe.ask })
    if (perMs === undefined) return
    // Somebody who stays has a request, a body and what comes behind them under way meanwhile.
    const held = (['head', 'body'] as const).map((hold) => fetching(stays.url({ hold })))
    const other = probe.ask(series(together(...held), fetching(stays.url())))
    await stays.until(({ requests }) => requests === held.length, patienceMs)
    // Who cannot be reached from there has nothing under way that may be taken.
    if (stays.seen().requests < held.length) return
    const ask = (command: Command) => askToLeave(context.edge, probe, command, { isInQuery: true })
    for (let round = 0; round < rounds; round++) {
      // The others have to wait behind the first, and are begun when their clients have gone.
      const first = await ask({ do: 'burn', work: Math.round(busyMs * perMs) })
      await pause(leaveMs / 2)
      const others = await Promise.all(lasts(gone).map(ask))
      await pause(leaveMs / 2)
      for (const client of [first, ...others]) client.leave()
      await probe.ask({ do: 'count' })
    }
    stays.release()
    const reply = await other
    const outcomes = outcomesOf(reply)
    const holds = outcomes.length > 0 && outcomes.every(({ ok }) => ok)
    const words = outcomes.length > 0 ? inWords(outcomes) : reply.because
    context.verify(clause, { holds, saw: `the request of who stays: ${words}` }, reply)
  }
})
