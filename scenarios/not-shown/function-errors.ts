import { check, type Reply } from 'plimsoll'
import { quoted } from '../_reply.ts'
import { fetching, outcomeOf, repeat } from '../functions/_command.ts'
import { deployed, openServer } from '../functions/_stage.ts'

const subrequests = 'unspecified.implied.subrequest-over-limit-behaviour'
const cpu = 'unspecified.implied.cpu-exceeded-error'
const attempts = 10
const muchWork = 1_000_000

export default check({
  title: 'What becomes of a subrequest too many, and what a client sees of too much work',
  clauses: [subrequests, cpu],
  expectedReplies: [503],
  needs: ['edge', 'probe', 'reach'],
  async run(context) {
    const able = await deployed(context, { plan: 'bundled' })
    await using server = await openServer(context)
    const url = server.channel('beyond').url({ status: 204 })
    const beyond = await able.ask(repeat(55, fetching(url)))
    const tally = outcomeOf(beyond)?.ok
    if (tally) {
      const how = tally.errors.length > 0 ? `throws ${tally.errors.join(', ')}` : 'is made'
      context.observe(subrequests, `subrequest ${tally.firstFailed + 1} ${how}`, beyond)
    }
    const plain = await deployed(context, { plan: 'free' })
    let reply: Reply | undefined
    for (let attempt = 0; attempt < attempts && !reply; attempt++) {
      const one = await plain.ask({ do: 'burn', work: muchWork })
      if (outcomeOf(one) === undefined) reply = one
    }
    if (reply) context.observe(cpu, `${reply.because} ${quoted(reply.body.slice(0, 60))}`, reply)
  }
})
