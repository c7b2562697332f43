import { type Arbitraries, check, generated, isAnswered, type Look, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed } from '../_reply.ts'
import { and, type Condition, eq, type Filter, or, where } from './_filter.ts'
import { type Created, type Stage, stage, uris } from './_stage.ts'

const clause = 'logpush.job.filter-narrows'

/** What a request is by those fields of its record that whoever sends it decides. */
type Fields = Record<'ClientRequestMethod' | 'ClientRequestPath' | 'ClientRequestUserAgent', string>

/** A number in records, and still a string where a filter asks about it. */
const status = 'EdgeResponseStatus'

const values: { [Key in keyof Fields]: readonly string[] } = {
  ClientRequestMethod: ['GET', 'DELETE', 'POST'],
  ClientRequestPath: ['/echo', '/echo/pay', '/nothing-here'],
  ClientRequestUserAgent: ['agent "one" \\ 1', 'agent "two", (2)', 'agent "two"']
}
const keys = Object.keys(values) as (keyof Fields)[]

/** Requests of which every two differ in something a filter can ask about. */
const requests = values.ClientRequestMethod.flatMap((ClientRequestMethod, m) =>
  values.ClientRequestPath.map((ClientRequestPath, p): Fields => {
    const ClientRequestUserAgent = values.ClientRequestUserAgent[(m + p) % 3]!
    return { ClientRequestMethod, ClientRequestPath, ClientRequestUserAgent }
  })
)

/** Conditions of every request here, and of none. */
const [always, never]: Condition[] = [
  { key: 'ClientRequestPath', operator: 'contains', value: '/' },
  { key: 'ClientRequestPath', operator: 'eq', value: '/' }
]

/**
 * Conditions, and the ways to combine them: a few and two words deep, narrow and up to six, or in
 * one row of up to twelve, of which one decides, wherever it stands.
 */
function anyFilter(any: Arbitraries) {
  const byStatus = any.constantFrom('200', '404', '40').map((value): Filter => eq(status, value))
  const byText = any.constantFrom(...keys).chain((key) =>
    any.oneof(
      any.constantFrom(...values[key]).map((value): Filter => eq(key, value)),
      any
        .constantFrom(...values[key].flatMap((value) => [value.slice(1), value.slice(0, 4)]))
        .map((value): Filter => ({ key, operator: 'contains', value }))
    )
  )
  const condition = any.oneof({ weight: 4, arbitrary: byText }, { weight: 1, arbitrary: byStatus })
  const combined = (part: ReturnType<Arbitraries['constant']>, maxLength: number) =>
    any
      .tuple(any.constantFrom(and, or), any.array(part, { minLength: 1, maxLength }))
      .map(([word, parts]) => word(...(parts as Filter[])))
  const few = combined(any.oneof(condition, condition, combined(condition, 2)), 3)
  const rung = any.tuple(any.constantFrom(and, or), condition)
  const ladder = any
    .tuple(any.array(rung, { minLength: 2, maxLength: 6, size: 'max' }), condition)
    .map(([rungs, last]) =>
      rungs.reduceRight<Filter>((below, [word, beside]) => word(beside, below), last)
    )
  const row = any
    .tuple(any.constantFrom(and, or), any.integer({ min: 3, max: 11 }), any.nat(11), condition)
    .map(([word, count, at, decisive]) => {
      const others: Filter[] = Array(count).fill(word === and ? always : never)
      return word(...others.toSpliced(at % (count + 1), 0, decisive))
    })
  return any.oneof(few, ladder, row)
}

/** The document's meaning of a filter. */
function passes(filter: Filter, fields: Fields & { [status]: string }): boolean {
  if (Array.isArray(filter.and)) return filter.and.every((part) => passes(part, fields))
  if (Array.isArray(filter.or)) return filter.or.some((part) => passes(part, fields))
  const { key, operator, value } = filter as Condition
  const said = fields[key as keyof Fields]
  return operator === 'eq' ? said === value : said.includes(value)
}

/** Sends every request once, and tells under which URI each goes. */
async function visited(on: Stage, client: (method: string) => Ask, nonce: string) {
  const sent: { uri: string; fields: Fields & { [status]: string }; reply: Reply }[] = []
  for (const [n, fields] of requests.entries()) {
    const uri = `${fields.ClientRequestPath}?${n}${nonce}`
    const headers = { 'user-agent': fields.ClientRequestUserAgent }
    const reply = await client(fields.ClientRequestMethod)(uri, { headers })
    sent.push({ uri, fields: { ...fields, [status]: `${reply.status}` }, reply })
  }
  await on.push()
  return sent
}

type Ask = (path: string, options: { headers: Record<string, string> }) => Promise<Reply>

export default check({
  title: 'Whatever a filter asks for, it leaves the records that are so, and no others',
  clauses: [clause],
  needs: ['management', 'edge', 'zone', 'destination', 'pushLogs'],
  async run(context) {
    await using on = await stage(context)
    const { edge, random } = context
    const { get, post, delete: remove } = edge.as(on.zone.host)
    const client = (method: string) => ({ GET: get, POST: post, DELETE: remove })[method]!
    const found = await generated(context, {
      // Several jobs at a time, since what takes long is the traffic and not the job.
      of: (any) => any.array(anyFilter(any), { minLength: 1, maxLength: 8, size: 'max' }),
      budget: { quick: 10, full: 100 },
      async ask(filters) {
        const jobs: { filter: Filter; created: Created }[] = []
        for (const filter of filters)
          jobs.push({ filter, created: await on.create({ filter: where(filter) }) })
        const sent = await visited(on, client, freshId(random))
        for (const { created } of jobs) await on.discard(created)
        if (!sent.every(({ reply }) => isAnswered(reply))) return undefined
        const looks = jobs.flatMap(({ filter, created }): Look[] => {
          // One that is refused is the matter of its form.
          if (!isServed(created.reply)) return []
          const meant = sent.filter(({ fields }) => passes(filter, fields)).map(({ uri }) => uri)
          const came = uris(created.inbox)
          const holds = came.length === meant.length && meant.every((uri) => came.includes(uri))
          const saw = `${came.length} of ${sent.length} records, where ${meant.length} are meant`
          return [{ asked: JSON.stringify(filter), holds, saw, reply: created.reply }]
        })
        return looks.find(({ holds }) => !holds) ?? looks[0]
      }
    })
    if (found) context.verify(clause, ...found)
  }
})
