import { check, isAnswered, type Look, type Reply, summary } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed } from '../_reply.ts'
import { and, where } from './_filter.ts'
import { type Created, recordsIn, stage, uris } from './_stage.ts'

const clauseOf = (operator: string) => `logpush.filter.operator-${operator}`

/** What each operator says of a field and a value, which are texts: no letter is like another. */
const operators = {
  eq: (text: string, value: string) => text === value,
  contains: (text: string, value: string) => text.includes(value)
}
type Operator = keyof typeof operators

/** A text, and others that only somebody would take for it who does not look at all of it. */
const variations: ((text: string) => string)[] = [
  ...[(text: string) => text, (text: string) => text.toLowerCase()],
  ...[(text: string) => text.toUpperCase(), (text: string) => `${text}/`],
  ...[(text: string) => `${text}x`, (text: string) => `x${text}`, (text: string) => `x${text}x`],
  ...[(text: string) => text.slice(1), (text: string) => text.slice(0, -1)],
  ...[(text: string) => text.replace('.', '-'), (text: string) => text.replace('*', 'any')],
  ...[(text: string) => text.replace('_', '-'), () => 'another']
]

/** Fields that whoever sends a request decides, each with a text in it. */
const fields: { [key: string]: (text: string) => string } = {
  ClientRequestUserAgent: (text) => text,
  ClientRequestPath: (text) => `/echo/${text}`,
  ClientRequestURI: (text) => `/echo/${text}?${text}`
}

/** A number in records, of which a filter may ask nothing; answers differ in it. */
const number = 'EdgeResponseStatus'

/** A job on a condition, which decides as the operator does on the field of a record. */
type Own = { operator: Operator; key: string; value: string; created: Created; isFull: boolean }

export default check({
  title: 'A condition selects the records whose field is equal to, or contains, its value',
  clauses: Object.keys(operators).map(clauseOf),
  needs: ['management', 'edge', 'zone', 'destination', 'pushLogs'],
  async run(context) {
    await using on = await stage(context)
    const { edge, random, verify, leave } = context
    const text = `Ab.c*d_e-${freshId(random).repeat(3)}-Z`
    const field_names = [...Object.keys(fields), number]
    const wide = await on.create({ filter: undefined, output_options: { field_names } })
    const jobs: Own[] = []
    const add = async ({ key, operator, value }: Pick<Own, 'key' | 'operator' | 'value'>) => {
      const created = await on.create({ filter: where(and({ key, operator, value })) })
      const isFull = !isServed(created.reply) && (await on.isFull())
      jobs.push({ operator, key, value, created, isFull })
    }
    for (const [key, made] of Object.entries(fields)) {
      await add({ key, operator: 'eq', value: made(text) })
      await add({ key, operator: 'contains', value: text })
    }
    await add({ key: number, operator: 'eq', value: '200' })
    const client = edge.as(on.zone.host)
    const replies: Reply[] = []
    for (const vary of variations) {
      const headers = { 'user-agent': fields.ClientRequestUserAgent!(vary(text)) }
      replies.push(await client.get(fields.ClientRequestURI!(vary(text)), { headers }))
    }
    replies.push(await client.get('/echo'), await client.get('/nothing-here'))
    await on.push()
    const records = recordsIn(wide.inbox)
    if (!replies.every(isAnswered) || records.length === 0) return
    for (const operator of Object.keys(operators) as Operator[]) {
      const own = jobs.filter((job) => job.operator === operator)
      const looks = own.flatMap(({ key, value, created: { reply, inbox } }): Look[] => {
        // Which fields there are, and which of them a filter can ask about, is not documented.
        if (!isServed(reply) || !records.every((record) => key in record)) return []
        const isMeant = (record: Record<string, unknown>) =>
          operators[operator](`${record[key]}`, value)
        const meant = records.filter(isMeant).map(({ ClientRequestURI: uri }) => uri)
        const came = uris(inbox)
        const holds = came.length === meant.length && meant.every((uri) => came.includes(uri))
        const saw = `${came.length} of ${records.length} records, where ${meant.length} are so`
        return [{ asked: `${key} ${operator}`, holds, saw, reply }]
      })
      const [first] = own
      const refused = first!.created.reply
      const found = summary(looks)
      if (found) verify(clauseOf(operator), ...found, ...replies)
      else if (own.some(({ isFull }) => isFull))
        leave(clauseOf(operator), 'the zone takes no more jobs', refused)
      else verify(clauseOf(operator), { holds: false, saw: `refused, ${refused.because}` }, refused)
    }
  }
})
