import { check, isAnswered, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed } from '../_reply.ts'
import { and, eq, or, where } from './_filter.ts'
import { stage, uris } from './_stage.ts'

const clause = 'logpush.job.filter-narrows'

export default check({
  title: 'A filter narrows what a job delivers to the records that pass it',
  clauses: [clause],
  needs: ['management', 'edge', 'zone', 'destination', 'pushLogs'],
  async run(context) {
    await using on = await stage(context)
    const { edge, random, verify } = context
    const token = freshId(random)
    const contains = { key: 'ClientRequestURI', operator: 'contains', value: token }
    // One condition alone, under a word of its own, is what it is; of nine one is enough.
    const get = or(eq('ClientRequestMethod', 'GET'))
    const others = Array.from({ length: 8 }, (_, at) => eq('ClientRequestMethod', `M${at}`))
    const filter = where(and(get, and(contains), or(...others, contains)))
    const narrow = await on.create({ filter })
    const wide = await on.create({ filter: undefined })
    if (!isServed(narrow.reply) || !isServed(wide.reply)) return
    const client = edge.as(on.zone.host)
    const meant = [`/echo?meant=1&${token}`, `/echo?meant=2&${token}`]
    const replies: Reply[] = []
    for (const uri of [...meant, `/echo?${freshId(random)}`]) replies.push(await client.get(uri))
    replies.push(await client.delete(`/echo?${freshId(random)}`))
    await on.push()
    const [passed, all] = [uris(narrow.inbox), uris(wide.inbox)]
    if (all.length === 0 || !replies.every(isAnswered)) return
    // Both conditions are put so that either of them alone would still leave something out.
    const holds = meant.every((uri) => passed.includes(uri)) && passed.length < all.length
    const saw = `${passed.length} of ${all.length} records, where ${meant.length} pass the filter`
    verify(clause, { holds, saw }, narrow.reply, wide.reply, ...replies)
  }
})
