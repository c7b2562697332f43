import { type Context, check, type Reply } from 'plimsoll'
import { type Item, isItem, isServed, item, items } from '../_reply.ts'
import { stage } from '../log-push/_stage.ts'

const record = 'unspecified.logpush.job-record'
const response = 'unspecified.logpush.create-response'
const operations = 'unspecified.logpush.other-operations'

/** The fields of an object, each with the type of its value. */
function fieldsOf(value: Item): string {
  const typed = (one: unknown) =>
    one === null ? 'null' : Array.isArray(one) ? 'array' : typeof one
  return Object.entries(value)
    .map(([field, one]) => `${field} (${typed(one)})`)
    .sort()
    .join(', ')
}

/** Lists, reads, changes and deletes a job where these operations would be. */
async function lifeOf(management: Context['management'], path: string, id: unknown) {
  const one = `${path}/${encodeURIComponent(`${id}`)}`
  return {
    list: await management.get(path),
    read: await management.get(one),
    update: await management.put(one, { json: { enabled: false } }),
    delete: await management.delete(one),
    'read what was deleted': await management.get(one)
  }
}

export default check({
  title: 'What creating a log-push job answers, and what else can be done with one',
  clauses: [response, record, operations],
  needs: ['management', 'zone', 'destination'],
  async run(context) {
    await using on = await stage(context)
    const { management, observe } = context
    const { reply: created } = await on.create()
    const { result } = created.json ?? {}
    const shown = isItem(result) ? fieldsOf(result) : `${JSON.stringify(result)}`
    observe(response, `${created.because}, result: ${shown}`, created)
    const { id } = item(created)
    if (!isServed(created) || id === undefined) return
    const life = await lifeOf(management, `/zones/${on.zone.id}/logpush/jobs`, id)
    const replies = Object.values(life) as [Reply, ...Reply[]]
    const outcomes = Object.entries(life).map(([name, { because }]) => `${name}: ${because}`)
    observe(operations, outcomes.join(', '), ...replies)
    const [first] = isServed(life.read) ? [item(life.read)] : items(life.list)
    if (first) observe(record, fieldsOf(first), life.read, life.list)
  }
})
