import { type Context, check, isAnswered, type Look, pairwise, summary } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed, quoted } from '../_reply.ts'
import {
  type Asked,
  doubtful,
  end,
  type Finding,
  harmful,
  harmIn,
  marked,
  moment,
  namesIn,
  type Options,
  type Records,
  sampled,
  shareOf,
  straysIn,
  timesIn
} from './_output.ts'
import { isSeldom } from './_sample.ts'
import { type Created, recordsIn, stage } from './_stage.ts'

/** The clause about an option, or the filter, of a job. */
const clauseOf = (option: string) =>
  option === 'filter'
    ? 'logpush.job.filter-narrows'
    : `logpush.job.field.output-options.${option.toLowerCase().replaceAll('_', '-')}`
const names = [moment, 'ClientRequestUserAgent', 'ClientRequestURI']
/** So many requests at first, and so many in all where a sample of those is a seldom one. */
const counts = { quick: [200, 1_000], full: [1_000, 5_000] } as const

/** A job for each option, with that option and as little as possible besides. */
const jobs: { [option: string]: Options } = {
  field_names: { field_names: names },
  sample_rate: { field_names: names, sample_rate: 0.5 },
  timestamp_format: { field_names: names, timestamp_format: 'rfc3339' },
  'CVE-2021-44228': { field_names: names, 'CVE-2021-44228': 'true' }
}

/** A job for the format alone, which a target may refuse or leave a field out of. */
const withEnd: Options = { field_names: [...names, end], timestamp_format: 'rfc3339' }

/**
 * The same options side by side: each must do what it does, whatever the others are. Each has a
 * field that tells records apart: batches that are alike are taken for one that came again.
 */
const together = {
  field_names: [names, ['ClientRequestURI'], names.toReversed(), ['EdgeResponseStatus', ...names]],
  sample_rate: [undefined, 0.8, 0.2],
  timestamp_format: [undefined, 'rfc3339'],
  'CVE-2021-44228': [undefined, 'true'],
  // What a job does with records is done with those that pass its filter.
  filter: [undefined, marked]
}

type Made = { options: Options; filter?: string; job: Created }

async function traffic({ edge, random }: Context, host: string, count: number): Promise<Asked[]> {
  const client = edge.as(host)
  const headers = { 'user-agent': harmful }
  const asked: Asked[] = []
  for (let number = 0; number < count; number++) {
    // By chance, since every so many-th record may be taken as well.
    const isMarked = random() < 0.5
    const uri = `/echo?${freshId(random)}${isMarked ? '-marked' : ''}`
    asked.push({ isMarked, reply: await client.get(uri, { headers }) })
  }
  return asked
}

/** Whether a job has a sample that comes so seldom that it is looked at more closely. */
function isDoubtful(made: Made, asked: Asked[]): boolean {
  const [{ length: taken }, of] = sampled(recordsIn(made.job.inbox), made, asked)
  const rate = made.options.sample_rate ?? 1
  return isServed(made.job.reply) && isSeldom({ taken, of, rate }, doubtful)
}

export default check({
  title: 'A job’s output options decide which fields and records are delivered, and how',
  clauses: [...Object.keys(jobs), 'filter'].map(clauseOf),
  needs: ['management', 'edge', 'zone', 'destination', 'pushLogs', 'clock'],
  async run(context) {
    await using on = await stage(context)
    const [few, many] = counts[context.tier === 'quick' ? 'quick' : 'full']
    const created: Made[] = []
    const combined = pairwise(together, context).map(({ filter, ...options }) => ({
      filter,
      options
    }))
    const alone = [...Object.values(jobs), withEnd].map((options) => ({
      options,
      filter: undefined
    }))
    for (const { options, filter } of [...alone, ...combined])
      created.push({ options, filter, job: await on.create({ filter, output_options: options }) })
    const from = await context.adapter.clock(0)
    const asked = await traffic(context, on.zone.host, few)
    await on.push()
    const isUnsure = created.some((made) => isDoubtful(made, asked))
    if (isUnsure) asked.push(...(await traffic(context, on.zone.host, many - few)))
    const to = await context.adapter.clock(0)
    if (isUnsure) await on.push()
    if (!asked.every(({ reply }) => isAnswered(reply))) return
    const isDelivered = created.some(({ job: { inbox } }) => recordsIn(inbox).length > 0)
    const judges: { [option: string]: (records: Records, made: Made) => Finding } = {
      field_names: (records, { options }) => namesIn(records, options.field_names),
      sample_rate: (records, made) => shareOf(made.options, ...sampled(records, made, asked)),
      timestamp_format: (records) => timesIn(records, { from, to }),
      'CVE-2021-44228': harmIn,
      filter: straysIn
    }
    for (const [option, judge] of Object.entries(judges)) {
      const looks = created.flatMap((made): Look[] => {
        const { reply, inbox } = made.job
        const all = { ...made.options, filter: made.filter }
        // A job that is refused, or delivers nothing at all, is the matter of other clauses, and so
        // is a record without a field that was asked for.
        const isWhole = (record: Records[number]) =>
          option === 'field_names' || all.field_names.every((name) => name in record)
        const records = recordsIn(inbox).filter(isWhole)
        if (all[option as keyof typeof all] === undefined) return []
        if (made.options === withEnd && option !== 'timestamp_format') return []
        // A sample of a job that others deliver beside may not be nothing.
        const isEmpty = isServed(reply) && isDelivered && recordsIn(inbox).length === 0
        const isNone = option === 'sample_rate' && isEmpty
        if (records.length === 0 && !isNone) return []
        if (option === 'timestamp_format' && !all.field_names.includes(moment)) return []
        return [{ asked: quoted(all), ...judge(records, made), reply }]
      })
      const found = summary(looks)
      if (found) context.verify(clauseOf(option), ...found, asked[0]!.reply)
    }
  }
})
