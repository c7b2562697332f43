import { check, type Reply } from 'plimsoll'
import { byOutcome } from '../_outcomes.ts'
import { isServed, item, quoted } from '../_reply.ts'
import { stage } from '../log-push/_stage.ts'

const listed = 'unspecified.logpush.dataset-fields'
const size = 'unspecified.limits.logpush-field-size'

const datasets = [
  ...['http_requests', 'firewall_events', 'page_shield_events', 'workers_trace_events'],
  'no_such_dataset'
]

/** Characters of a user agent, up to what the smallest limit of headers surely lets pass. */
const lengths = [1_000, 4_000, 12_000]

export default check({
  title: 'Which fields a dataset has, and how long what is delivered of a field can be',
  clauses: [listed, size],
  needs: ['management', 'edge', 'zone', 'destination', 'pushLogs'],
  async run(context) {
    await using on = await stage(context)
    const { edge, management, observe } = context
    const replies: Reply[] = []
    for (const dataset of datasets)
      replies.push(await on.offer({ dataset, output_options: undefined, filter: undefined }))
    const outcomes = datasets.map((asked, index) => {
      const reply = replies[index]!
      return { asked, came: `${isServed(reply) ? 'taken' : 'refused'}, ${reply.because}` }
    })
    const strange = { field_names: ['NoSuchField'] }
    const unknown = await on.offer({ output_options: strange, filter: undefined })
    const errors = quoted(unknown.json?.errors)
    const saw = `${byOutcome(outcomes)}; an unknown field: ${unknown.because}, ${errors}`
    observe(listed, saw, unknown, ...replies)
    const list = await management.get(`/zones/${on.zone.id}/logpush/datasets/http_requests/fields`)
    const named = Object.keys(item(list)).join(', ')
    observe(listed, `asked for its fields: ${list.because}, ${named || 'none named'}`, list)

    const names = ['ClientRequestUserAgent']
    const { reply: created, inbox } = await on.create({
      output_options: { field_names: names },
      filter: undefined
    })
    if (!isServed(created)) return
    const asked: Reply[] = []
    for (const length of lengths) {
      const headers = { 'user-agent': 'a'.repeat(length) }
      asked.push(await edge.as(on.zone.host).get('/echo', { headers }))
    }
    await on.push()
    const kept = inbox.records().map(({ ClientRequestUserAgent: agent }) => `${agent}`.length)
    observe(size, `sent ${lengths.join(', ')}, delivered ${kept.join(', ')}`, created, ...asked)
  }
})
