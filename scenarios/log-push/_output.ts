import type { Reply } from 'plimsoll'
import { quoted } from '../_reply.ts'
import { where } from './_filter.ts'
import { isSeldom } from './_sample.ts'

/** The moment of a request that each job asks for but those that are about other fields. */
export const moment = 'EdgeStartTimestamp'
/** Another moment of a request, which a record need not have. */
export const end = 'EdgeEndTimestamp'

/** What the option is against: instructions to readers with the vulnerability of this name. */
export const harmful = `\${jndi:ldap://127.0.0.1/a} \${jndi:dns://127.0.0.1/b}`

/**
 * How seldom, on either side: what is looked at more closely, and what is none of its rate. By
 * chance fewer than one honest run in 10,000 has such a sample among its five or six.
 */
export const [doubtful, never] = [0.025, 0.000005]

/** Output options of a job, as they are sent. */
export type Options = {
  field_names: readonly string[]
  sample_rate?: number
  timestamp_format?: string
  'CVE-2021-44228'?: string
}

/** A filter that those requests pass whose URI ends so. */
export const marked = where({
  and: [{ key: 'ClientRequestURI', operator: 'contains', value: '-marked' }]
})

/** A request, and whether it passes that filter. */
export type Asked = { isMarked: boolean; reply: Reply }

/** What a job delivered, record by record. */
export type Records = Record<string, unknown>[]
/** What one option came to. */
export type Finding = { holds: boolean; saw: string }

/** Whether records have these fields and no others. */
export function namesIn(records: Records, names: readonly string[]): Finding {
  const odd = records.find((record) => {
    const found = Object.keys(record)
    return found.length !== names.length || !names.every((name) => found.includes(name))
  })
  const saw = odd ? `fields ${Object.keys(odd).join(', ')}` : `${records.length} with those fields`
  return { holds: odd === undefined, saw: `asked for ${names.join(', ')}: ${saw}` }
}

/** Whether a record is one of a request that passes that filter. */
const isMarked = ({ ClientRequestURI: uri }: Records[number]): boolean =>
  `${uri}`.endsWith('-marked')

/** Whether no record is one that does not pass the filter. */
export function straysIn(records: Records): Finding {
  const strays = records.filter((record) => !isMarked(record)).length
  return { holds: strays === 0, saw: `${strays} of ${records.length} records do not pass` }
}

/** Those of a job's records that pass its filter, if it has that one, and how many requests do. */
export function sampled(
  records: Records,
  { filter }: { filter?: string },
  asked: Asked[]
): [Records, number] {
  if (filter === undefined) return [records, asked.length]
  return [records.filter(isMarked), asked.filter((one) => one.isMarked).length]
}

/** Whether as many records came as a sample of them may have. */
export function shareOf(
  { sample_rate = 1 }: Options,
  { length: taken }: Records,
  of: number
): Finding {
  const holds = !isSeldom({ taken, of, rate: sample_rate }, never)
  return { holds, saw: `at a rate of ${sample_rate}, ${taken} of ${of} records` }
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

/** Whether timestamps are of the format, and of a moment between two; whole seconds are enough. */
export function timesIn(records: Records, { from, to }: { from: number; to: number }): Finding {
  const isRight = ({ [moment]: text, [end]: ended = text }: Records[number]) => {
    if (typeof text !== 'string' || !rfc3339.test(text)) return false
    // When a request is over is not said: when it is logged, or is for its client.
    if (typeof ended !== 'string' || !rfc3339.test(ended)) return false
    const ms = Date.parse(text)
    return ms >= Math.floor(from / 1_000) * 1_000 && ms <= to
  }
  const odd = records.find((record) => !isRight(record))
  const shown = odd ?? records[0]
  const saw = [moment, end].flatMap((name) => quoted(shown?.[name]) ?? []).join(', ')
  const between = [from, to].map((ms) => new Date(ms).toISOString()).join(' and ')
  return { holds: odd === undefined, saw: `between ${between}, logged as ${saw}` }
}

/** Whether none of the texts logged is an instruction any more. */
export function harmIn(records: Records): Finding {
  const texts = records.flatMap((record) => Object.values(record).map(String))
  const odd = texts.find((text) => text.includes('${'))
  const agent = records[0]?.ClientRequestUserAgent ?? 'nothing'
  return { holds: odd === undefined, saw: `${harmful} is logged as ${odd ?? agent}` }
}
