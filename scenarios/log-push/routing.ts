import { check, isAnswered, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed } from '../_reply.ts'
import { stage, uris } from './_stage.ts'

const dataset = 'logpush.job.field.dataset'
const destination = 'logpush.job.field.destination-conf'

export default check({
  title: 'A job delivers the records of its dataset, and to its own destination',
  clauses: [dataset, destination],
  needs: ['management', 'edge', 'zone', 'destination', 'pushLogs'],
  async run(context) {
    await using on = await stage(context)
    const { edge, random, verify } = context
    const plain = { filter: undefined, output_options: undefined }
    const first = await on.create(plain)
    const second = await on.create(plain)
    const events = await on.create({ ...plain, dataset: 'firewall_events' })
    if (!isServed(first.reply) || !isServed(second.reply)) return
    const asked = Array.from({ length: 3 }, () => `/echo?${freshId(random)}`)
    const replies: Reply[] = []
    for (const uri of asked) replies.push(await edge.as(on.zone.host).get(uri))
    await on.push()
    if (!replies.every(isAnswered)) return
    const counts = [first, second, events].map(({ inbox }) => {
      const found = uris(inbox)
      return asked.filter((uri) => found.includes(uri)).length
    }) as [first: number, second: number, events: number]
    const saw = `of ${asked.length} requests, ${counts[0]} and ${counts[1]} came to the two places`
    if (counts[0] + counts[1] === 0) return
    verify(destination, { holds: counts[0] > 0 && counts[1] > 0, saw }, first.reply, second.reply)
    // Which datasets there are besides is not documented.
    if (!isServed(events.reply)) return
    const came = `${saw}, ${counts[2]} to that of a job on another dataset`
    verify(dataset, { holds: counts[2] === 0, saw: came }, events.reply, ...replies)
  }
})
