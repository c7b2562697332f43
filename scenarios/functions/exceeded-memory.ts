import { type Context, check, type Look, summary } from 'plimsoll'
import { outcomeOf } from './_command.ts'
import { recordsOf } from './_records.ts'
import { deployed, type Probe } from './_stage.ts'

const clause = 'error.exceeded-memory-status'
const attempts = 5
/** Far more than there may be, and where. */
const [megabytes, places] = [400, ['buffer', 'heap'] as const]

/** The status of a request that uses so much, once it is cancelled; undefined where none is. */
async function cancelled(context: Context, probe: Probe, as: string) {
  const command = { do: 'allocate', megabytes, as }
  for (let attempt = 0; attempt < attempts; attempt++) {
    const count = (await context.adapter.invocations(probe.function)).length + 1
    const reply = await probe.ask(command)
    // The runtime may cancel such a request, and need not each time.
    if (outcomeOf(reply) !== undefined) continue
    const records = await recordsOf(context, { probe, count })
    if (records.length < count) continue
    const { status } = records.at(-1)!
    const holds = status === 'Exceeded Memory'
    const asked = `${megabytes} MB, as ${as}`
    return { asked, holds, saw: `cancelled, with the status "${status}"`, reply } satisfies Look
  }
  return undefined
}

export default check({
  title: 'An invocation that is cancelled for its memory has the status Exceeded Memory',
  clauses: [clause],
  // A request that is cancelled may be cut off.
  expectedReplies: [503, 'closed'],
  needs: ['edge', 'probe', 'invocations'],
  async run(context) {
    const probe = await deployed(context, { plan: 'standard' })
    const looks: Look[] = []
    for (const as of places)
      looks.push(...[await cancelled(context, probe, as)].filter((look) => look !== undefined))
    const seen = summary(looks)
    if (seen) context.verify(clause, ...seen)
  }
})
