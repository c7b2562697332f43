import { type Context, check, isAnswered, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed, quoted } from '../_reply.ts'
import { type Created, stage } from './_stage.ts'

const field = (option: string) => `logpush.job.field.output-options.${option}`
const names = ['EdgeStartTimestamp', 'ClientRequestUserAgent', 'ClientRequestURI']

/** What the option is against: an instruction to readers with the vulnerability of this name. */
const harmful = `\${jndi:ldap://127.0.0.1/a}`

/** So many records that a sample of half of them is neither none nor all, but for one in 2^39. */
const count = 40

/** A job for each option, with that option and as little as possible besides. */
const jobs: { [option: string]: object } = {
  'field-names': { field_names: names },
  'sample-rate': { field_names: names, sample_rate: 0.5 },
  'timestamp-format': { field_names: names, timestamp_format: 'rfc3339' },
  'cve-2021-44228': { field_names: names, 'CVE-2021-44228': 'true' }
}

type Records = Record<string, unknown>[]
type Finding = { holds: boolean; saw: string }

function namesIn(records: Records): Finding {
  const odd = records.find((record) => {
    const found = Object.keys(record)
    return found.length !== names.length || !names.every((name) => found.includes(name))
  })
  const saw = odd ? `fields ${Object.keys(odd).join(', ')}` : `${records.length} with those fields`
  return { holds: odd === undefined, saw: `asked for ${names.join(', ')}: ${saw}` }
}

function shareOf(records: Records): Finding {
  const { length } = records
  const saw = `at a rate of 0.5, ${length} of ${count} records`
  return { holds: length > 0 && length < count, saw }
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

/** Whether timestamps are of the format, and of a moment between two; whole seconds are enough. */
function timesIn(records: Records, { from, to }: { from: number; to: number }): Finding {
  const isRight = ({ EdgeStartTimestamp: text }: Records[number]) => {
    if (typeof text !== 'string' || !rfc3339.test(text)) return false
    const ms = Date.parse(text)
    return ms >= Math.floor(from / 1_000) * 1_000 && ms <= to
  }
  const odd = records.find((record) => !isRight(record))
  const saw = quoted((odd ?? records[0])?.EdgeStartTimestamp)
  const between = [from, to].map((ms) => new Date(ms).toISOString()).join(' and ')
  return { holds: odd === undefined, saw: `between ${between}, logged as ${saw}` }
}

function harmIn(records: Records): Finding {
  const agents = records.map(({ ClientRequestUserAgent: agent }) => String(agent))
  const odd = agents.find((agent) => agent.includes('${'))
  return { holds: odd === undefined, saw: `${harmful} is logged as ${odd ?? agents[0]}` }
}

async function traffic({ edge, random }: Context, host: string): Promise<Reply[]> {
  const client = edge.as(host)
  const headers = { 'user-agent': harmful }
  const replies: Reply[] = []
  for (let number = 0; number < count; number++)
    replies.push(await client.get(`/echo?${freshId(random)}`, { headers }))
  return replies
}

export default check({
  title: 'A job’s output options decide which fields and records are delivered, and how',
  clauses: Object.keys(jobs).map(field),
  needs: ['management', 'edge', 'zone', 'destination', 'pushLogs', 'clock'],
  async run(context) {
    await using on = await stage(context)
    const created = new Map<string, Created>()
    for (const [option, output_options] of Object.entries(jobs))
      created.set(option, await on.create({ filter: undefined, output_options }))
    const from = await context.adapter.clock(0)
    const replies = await traffic(context, on.zone.host)
    const to = await context.adapter.clock(0)
    await on.push()
    if (!replies.every(isAnswered)) return
    const judges: { [option: string]: (records: Records) => Finding } = {
      'field-names': namesIn,
      'sample-rate': shareOf,
      'timestamp-format': (records) => timesIn(records, { from, to }),
      'cve-2021-44228': harmIn
    }
    for (const [option, { reply, inbox }] of created) {
      // A job that is refused, or delivers nothing at all, is the matter of other clauses.
      if (!isServed(reply) || inbox.records().length === 0) continue
      context.verify(field(option), judges[option]!(inbox.records()), reply, replies[0]!)
    }
  }
})
