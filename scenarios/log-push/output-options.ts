import { type Context, check, isAnswered, type Look, pairwise, type Reply, summary } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed, quoted } from '../_reply.ts'
import {
  doubtful,
  end,
  type Finding,
  harmful,
  harmIn,
  moment,
  namesIn,
  type Options,
  type Records,
  shareOf,
  timesIn
} from './_output.ts'
import { isSeldom } from './_sample.ts'
import { type Created, recordsIn, stage } from './_stage.ts'

const field = (option: string) => `logpush.job.field.output-options.${option}`
const names = [moment, 'ClientRequestUserAgent', 'ClientRequestURI']
/** So many requests at first, and so many in all where a sample of those is a seldom one. */
const counts = { quick: [200, 1_000], full: [1_000, 5_000] } as const

/** A job for each option, with that option and as little as possible besides. */
const jobs: { [option: string]: Options } = {
  'field-names': { field_names: names },
  'sample-rate': { field_names: names, sample_rate: 0.5 },
  'timestamp-format': { field_names: names, timestamp_format: 'rfc3339' },
  'cve-2021-44228': { field_names: names, 'CVE-2021-44228': 'true' }
}

/** A job for the format alone, which a target may refuse or leave a field out of. */
const withEnd: Options = { field_names: [...names, end], timestamp_format: 'rfc3339' }

/**
 * The same options side by side: each must do what it does, whatever the others are. Each has a
 * field that tells records apart: batches that are alike are taken for one that came again.
 */
const together = {
  field_names: [
    names,
    ['ClientRequestURI'],
    [moment, 'ClientRequestURI'],
    ['EdgeResponseStatus', 'ClientRequestURI', moment]
  ],
  sample_rate: [undefined, 0.8, 0.2],
  timestamp_format: [undefined, 'rfc3339'],
  'CVE-2021-44228': [undefined, 'true']
}

async function traffic({ edge, random }: Context, host: string, count: number): Promise<Reply[]> {
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
    const combined = pairwise(together, context)
    const [few, many] = counts[context.tier === 'quick' ? 'quick' : 'full']
    const all: Options[] = [...Object.values(jobs), ...combined, withEnd]
    const created: { options: Options; job: Created }[] = []
    for (const options of all) {
      const job = await on.create({ filter: undefined, output_options: options })
      created.push({ options, job })
    }
    const from = await context.adapter.clock(0)
    const replies = await traffic(context, on.zone.host, few)
    await on.push()
    const isDoubtful = created.some(({ options: { sample_rate: rate = 1 }, job }) => {
      const taken = recordsIn(job.inbox).length
      return isServed(job.reply) && isSeldom({ taken, of: few, rate }, doubtful)
    })
    if (isDoubtful) replies.push(...(await traffic(context, on.zone.host, many - few)))
    const to = await context.adapter.clock(0)
    if (isDoubtful) await on.push()
    if (!replies.every(isAnswered)) return
    const isDelivered = created.some(({ job: { inbox } }) => recordsIn(inbox).length > 0)
    const judges: { [option: string]: (records: Records, options: Options) => Finding } = {
      field_names: (records, options) => namesIn(records, options.field_names),
      sample_rate: (records, options) => shareOf(records, options, replies.length),
      timestamp_format: (records) => timesIn(records, { from, to }),
      'CVE-2021-44228': harmIn
    }
    for (const [option, judge] of Object.entries(judges)) {
      const looks = created.flatMap(({ options, job: { reply, inbox } }): Look[] => {
        // A job that is refused, or delivers nothing at all, is the matter of other clauses, and so
        // is a record without a field that was asked for.
        const isWhole = (record: Records[number]) =>
          option === 'field_names' || options.field_names.every((name) => name in record)
        const records = recordsIn(inbox).filter(isWhole)
        if (options[option as keyof Options] === undefined) return []
        if (options === withEnd && option !== 'timestamp_format') return []
        // A sample of a job that others deliver beside may not be nothing.
        const isEmpty = isServed(reply) && isDelivered && recordsIn(inbox).length === 0
        const isNone = option === 'sample_rate' && isEmpty
        if (records.length === 0 && !isNone) return []
        if (option === 'timestamp_format' && !options.field_names.includes(moment)) return []
        return [{ asked: quoted(options), ...judge(records, options), reply }]
      })
      const found = summary(looks)
      const clause = field(option.toLowerCase().replaceAll('_', '-'))
      if (found) context.verify(clause, ...found, replies[0]!)
    }
  }
})
