import { check, isAnswered, type Look, type Reply, summary } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed, quoted } from '../_reply.ts'
import { and, eq, where } from './_filter.ts'
import { recordsIn, stage } from './_stage.ts'

const narrows = 'logpush.job.filter-narrows'
const format = 'logpush.job.field.output-options.timestamp-format'
const names = 'logpush.job.field.output-options.field-names'

const [moment, method] = ['Datetime', 'ClientRequestMethod']
const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/
const attack = '<script>alert(document.cookie)</script>'

export default check({
  title: 'A job on another dataset, that of firewall events, heeds its filter and its options, too',
  clauses: [narrows, format, names],
  needs: ['management', 'edge', 'zone', 'destination', 'pushLogs', 'previousWaf'],
  async run(context) {
    await using on = await stage(context)
    const { adapter, edge, random, verify } = context
    await adapter.previousWaf(on.zone.id, { enabled: true })
    const job = (change: object, filter?: string) =>
      on.create({ dataset: 'firewall_events', filter, output_options: change })
    const wide = await job({ field_names: [moment, method], timestamp_format: 'rfc3339' })
    const narrow = await job({ field_names: [method] }, where(and(eq(method, 'DELETE'))))
    const client = edge.as(on.zone.host)
    const replies: Reply[] = []
    for (const ask of [client.get, client.delete, client.get])
      replies.push(await ask(`/echo?${new URLSearchParams({ q: attack, at: freshId(random) })}`))
    await on.push()
    if (!replies.every(isAnswered) || !isServed(wide.reply)) return
    const all = recordsIn(wide.inbox)
    const of = (sent: string) => all.filter((record) => record[method] === sent).length
    // Which fields and events there are is not documented: what does not show both tells nothing.
    if (of('GET') === 0 || of('DELETE') === 0) return
    const looks = all.flatMap((record): Look[] => {
      const saw = quoted(record)
      const isThere = moment in record
      const holds = isThere && rfc3339.test(String(record[moment]))
      return isThere ? [{ asked: 'times as rfc3339', holds, saw, reply: wide.reply }] : []
    })
    const found = summary(looks)
    if (found) verify(format, ...found)
    if (!isServed(narrow.reply)) return
    const came = recordsIn(narrow.inbox)
    const isOnly = came.every((record) => Object.keys(record).join() === method)
    verify(names, { holds: isOnly, saw: `asked for ${method}: ${quoted(came[0])}` }, narrow.reply)
    const others = came.filter((record) => record[method] !== 'DELETE').length
    const saw = `${came.length} of ${all.length} events, ${others} of them not meant`
    const holds = others === 0 && came.length > 0
    if (isOnly) verify(narrows, { holds, saw }, narrow.reply, ...replies)
  }
})
