import { type Context, check, MB, type Reply } from 'plimsoll'
import { type Command, fetching, outcomesOf, series, waiting } from './_command.ts'
import { deployed, openServer, type Probe, patienceMs } from './_stage.ts'

const clause = 'limits.runtime.memory.unbound-standard'
/** What the function holds, and what goes through it beside: together more than it may hold. */
const [heldMegabytes, bytes] = [96, 48 * MB]
/** Long enough for all of it to come, if somebody fetches what nobody has asked for yet. */
const restMs = 1_500
const timeoutMs = 4 * patienceMs

/** Opens a body, reads a piece of it, rests, and reads what is left. */
function readLate(opening: Command): Command {
  const reading = [{ do: 'peek', name: 'a' }, waiting(restMs), { do: 'read', name: 'a' }]
  return series(opening, { do: 'allocate', megabytes: heldMegabytes, as: 'buffer' }, ...reading)
}

/** The body of an answer to a fetch. */
async function fetched(context: Context, probe: Probe): Promise<Reply> {
  await using server = await openServer(context)
  const url = server.channel('large').url({ bytes })
  return await probe.ask(readLate(fetching(url, { body: 'leave', keep: 'a' })), { timeoutMs })
}

/** The body of the request itself. */
function received({ edge }: Context, probe: Probe): Promise<Reply> {
  const command = JSON.stringify(readLate({ do: 'receive', keep: 'a' }))
  const path = `${probe.path}?command=${encodeURIComponent(command)}`
  const body = { bytes, framing: 'length' } as const
  return edge.as(probe.host).send({ method: 'POST', path, body, timeoutMs })
}

export default check({
  title: 'What a function has not read yet of a body is no memory that it uses',
  clauses: [clause],
  // A request that is cancelled may be cut off in its answer.
  expectedReplies: [503, 'closed'],
  needs: ['edge', 'probe', 'reach'],
  async run(context) {
    const probe = await deployed(context, { plan: 'standard' })
    const ways = { 'an answer': fetched, 'a request': received }
    for (const [what, asked] of Object.entries(ways).slice(0, context.tier === 'quick' ? 1 : 2)) {
      const reply = await asked(context, probe)
      const [, , first, , rest] = outcomesOf(reply).map(({ ok }) => Number(ok ?? 0))
      const come = (first ?? 0) + (rest ?? 0)
      const saw = `${what} is read with a pause: ${come} of ${bytes} bytes, ${reply.because}`
      context.verify(clause, { holds: come === bytes, saw }, reply)
    }
  }
})
