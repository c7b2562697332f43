import { check } from 'plimsoll'
import { fetching, outcomeOf, outcomesOf, together } from './_command.ts'
import { most } from './_connections.ts'
import { anyProbe, graceMs, openServer, patienceMs } from './_stage.ts'

const [queued, sends] = ['connections.excess-queued', 'functions.service.fetch']
/**
 * Attempts, and bytes that each of them sends, more than one piece: every other one as they are
 * asked for, so that of those that wait, too, some have all of them from the beginning.
 */
const [attempts, bytes] = [10, 150_000]

export default check({
  title: 'A body that a function sends comes whole, behind a wait as well',
  clauses: [queued, sends],
  needs: ['edge', 'probe', 'reach'],
  async run(context) {
    const probe = await anyProbe(context)
    const plain = await probe.ask({ do: 'time' })
    if (outcomeOf(plain) === undefined) return
    await using server = await openServer(context)
    const channel = server.channel('queued')
    const sending = (send: unknown) =>
      fetching(channel.url({ hold: 'head' }), { method: 'POST', send })
    const turns = [sending({ bytes }), sending(bytes)]
    const all = Array.from({ length: attempts }, (_, at) => turns[at % turns.length]!)
    const asked = probe.ask(together(...all))
    await channel.until(({ open }) => open >= most, patienceMs)
    await channel.until(({ open }) => open > most, graceMs)
    const { peak } = channel.seen()
    const isOver = asked.then(() => true)
    // Who has an answer may send no more of a body.
    const arrived = (due: number) =>
      Promise.race([channel.until(({ received }) => received >= due, patienceMs), isOver])
    await arrived(most * bytes)
    const first = channel.seen().received
    channel.release(most)
    await arrived(attempts * bytes)
    channel.release()
    // How many may be open is the matter of others.
    if (peak !== most) return
    const due = most * bytes
    const begun = `${first} of ${due} bytes of ${most} bodies came`
    context.verify(sends, { holds: first === due, saw: begun }, plain)
    if (first !== due) return
    const reply = await asked
    const outcomes = outcomesOf(reply)
    if (outcomes.length < attempts) return
    const failed = outcomes.filter(({ error }) => error !== undefined)
    const { received } = channel.seen()
    const holds = failed.length === 0 && received === attempts * bytes
    const came = `${received} of ${attempts * bytes} bytes of ${attempts} attempts came`
    const saw = failed.length > 0 ? `${came}; ${failed[0]!.error}` : came
    context.verify(queued, { holds, saw }, reply)
  }
})
