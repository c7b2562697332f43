import { type Channel, type Context, check, type Judge } from 'plimsoll'
import {
  type Command,
  fetching,
  type Outcome,
  outcomesOf,
  series,
  together,
  waiting
} from './_command.ts'
import { anyProbe, openServer, type Probe, patienceMs } from './_stage.ts'

const victim = 'connections.deadlock-cancels-lru'
const throws = 'error.cancelled-connection-throws'
const names = ['a', 'b', 'c', 'd', 'e', 'f']
/** Those beyond six: for each of them one that is open has to be cancelled, and which it is. */
const beyond = ['g', 'h', 'i']
const victims = ['b', 'd', 'e']

/** How long six bodies are left unread while nobody waits for a seventh connection. */
const restMs = 500

/** How long each body is waited for once all that were held up have been let go. */
const endMs = patienceMs

/** As many bodies as there may be are no deadlock while nobody waits: none of them is cancelled. */
async function resting(context: Context & Judge, probe: Probe) {
  await using server = await openServer(context)
  const channel = server.channel('resting')
  const url = channel.url({ hold: 'body', bytes: 10 })
  const opened = names.map((keep) => fetching(url, { body: 'leave', keep }))
  const reading = together(...names.map((name) => ({ do: 'read', name })))
  const asked = probe.ask(series(together(...opened), waiting(restMs), reading))
  const areOpen = await channel.until(({ open }) => open === names.length, patienceMs)
  await channel.until(({ dropped }) => dropped > 0, restMs)
  channel.release()
  const reply = await asked
  const reads = outcomesOf(reply).at(-1)?.ok
  if (!areOpen || !Array.isArray(reads)) return
  const { dropped } = channel.seen()
  const lost = reads.filter(({ error }) => error !== undefined).length
  const saw = `six unread bodies, and no seventh: ${dropped} cancelled, ${lost} cannot be read`
  context.verify(victim, { holds: dropped === 0 && lost === 0, saw }, reply)
}

export default check({
  title: 'Each deadlock ends the connection used least recently, and using that one throws',
  clauses: [victim, throws],
  needs: ['edge', 'probe', 'reach'],
  expectedReplies: ['timeout'],
  async run(context) {
    const probe = await anyProbe(context)
    await resting(context, probe)
    await using server = await openServer(context)
    const all = [...names, ...beyond]
    const channels = all.map((name) => server.channel(name))
    const opened = channels.map((channel, index) =>
      fetching(channel.url({ hold: 'body', bytes: 10 }), { body: 'leave', keep: all[index] })
    )
    const [g, ...others] = opened.splice(names.length) as [Command, ...Command[]]
    // The first was opened before all others, and the second is the one not used for longest; so
    // is the fourth once the third is used between two deadlocks. The last two wait together.
    const asked = probe.ask(
      series(
        ...opened,
        { do: 'peek', name: 'a' },
        g,
        { do: 'peek', name: 'c' },
        together(...others),
        together(...all.map((name) => ({ do: 'read', name, withinMs: endMs })))
      ),
      { timeoutMs: 3 * patienceMs }
    )
    const hasCome = (channel: Channel) => channel.seen().requests > 0
    for (const channel of channels)
      if (!(await channel.until(() => hasCome(channel), patienceMs))) break
    const made = channels.filter(hasCome).length
    const droppedOf = () => all.filter((_, index) => channels[index]!.seen().dropped > 0)
    const areDropped = () => droppedOf().length >= victims.length
    for (const channel of channels) if (!areDropped()) await channel.until(areDropped, 50)
    const dropped = droppedOf()
    for (const channel of channels) channel.release()
    const reply = await asked
    if (made < all.length) {
      // What was seen here is how many came, and no more: a lost answer is no matter of that.
      if (made < names.length) return
      const more = `${made - names.length} of ${beyond.length} requests more are made`
      const saw = `six unread bodies: ${more}`
      context.verify(victim, { holds: false, saw }, await probe.ask({ do: 'count' }))
      return
    }
    const last = outcomesOf(reply).at(-1)
    if (!Array.isArray(last?.ok)) return
    const reads = last.ok as Outcome[]
    const which = `cancelled: ${dropped.join(', ') || 'none'}, where it is ${victims.join(', ')}`
    const saw = `six unread bodies: ${beyond.length} requests more are made, ${which} in turn`
    context.verify(victim, { holds: `${dropped}` === `${victims}`, saw }, reply)
    // A machine on which no body comes to its end in that time is too slow to tell.
    const areEnded = reads.some(({ ok }) => typeof ok === 'number')
    for (const name of dropped) {
      const { error, ok } = reads[all.indexOf(name)]!
      if (ok === null && !areEnded) continue
      const end = ok === null ? `nothing at all in ${endMs / 1_000} s` : `${ok} bytes, and an end`
      const fate = `reading from ${name}: ${error ?? end}`
      context.verify(throws, { holds: error !== undefined, saw: fate }, reply)
    }
  }
})
