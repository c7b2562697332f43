import { check, isAnswered, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed } from '../_reply.ts'
import { and, where } from './_filter.ts'
import { type Created, stage, uris } from './_stage.ts'

export default check({
  title: 'A condition selects the records whose field is equal to, or contains, its value',
  clauses: ['logpush.filter.operator-eq', 'logpush.filter.operator-contains'],
  needs: ['management', 'edge', 'zone', 'destination', 'pushLogs'],
  async run(context) {
    await using on = await stage(context)
    const { edge, random } = context
    const agent = freshId(random)
    /** User agents by URI, and which operators each must be selected by. */
    const agents: { [uri: string]: { agent: string; by: string[] } } = {
      '/echo?same': { agent, by: ['eq', 'contains'] },
      '/echo?longer-at-the-end': { agent: `${agent}x`, by: ['contains'] },
      '/echo?longer-at-the-front': { agent: `x${agent}`, by: ['contains'] },
      '/echo?in-the-middle': { agent: `x${agent}x`, by: ['contains'] },
      '/echo?shorter': { agent: agent.slice(1), by: [] },
      '/echo?other': { agent: freshId(random), by: [] }
    }
    const jobs: { operator: string; created: Created }[] = []
    // A number is selected by what it is, too, in whichever form it may be written.
    const byNumber: Created[] = []
    for (const value of ['200', 200]) {
      const numeric = { key: 'EdgeResponseStatus', operator: 'eq', value }
      byNumber.push(await on.create({ filter: where(and(numeric)) }))
    }
    for (const operator of ['eq', 'contains']) {
      const filter = where(and({ key: 'ClientRequestUserAgent', operator, value: agent }))
      jobs.push({ operator, created: await on.create({ filter }) })
    }
    const client = edge.as(on.zone.host)
    const replies: Reply[] = []
    for (const [uri, { agent }] of Object.entries(agents))
      replies.push(await client.get(uri, { headers: { 'user-agent': agent } }))
    await on.push()
    const without = await on.offer({ filter: undefined })
    if (!replies.every(isAnswered) || !isServed(without)) return
    const taken = byNumber.filter(({ reply }) => isServed(reply))
    // Who delivers nothing at all shows nothing of numbers.
    const isDelivered = jobs.some(({ created }) => uris(created.inbox).length > 0)
    if (taken[0] && isDelivered) {
      const served = Object.keys(agents).filter((_, nth) => replies[nth]!.status === 200)
      const found = taken.map(({ inbox }) => uris(inbox).toSorted().join(', ') || 'none')
      const holds = found.includes(served.toSorted().join(', '))
      const saw = `of status 200: ${found.join('; ')}`
      context.verify('logpush.filter.operator-eq', { holds, saw }, taken[0].reply, ...replies)
    }
    for (const { operator, created } of jobs) {
      const clause = `logpush.filter.operator-${operator}`
      const wanted = Object.keys(agents).filter((uri) => agents[uri]!.by.includes(operator))
      const found = uris(created.inbox)
      const isSelected =
        found.length === wanted.length && wanted.every((uri) => found.includes(uri))
      const saw = isServed(created.reply)
        ? `selected ${found.join(', ') || 'none'}`
        : `refused, ${created.reply.because}`
      context.verify(clause, { holds: isSelected, saw }, created.reply, ...replies)
    }
  }
})
