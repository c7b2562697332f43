import { check, type Inbox, isOk, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed } from '../_reply.ts'
import { options, stage } from './_stage.ts'

const clause = 'logpush.job.delivers-records'

/** How often a delivery is asked for after the destination turned one away. */
const attempts = 3

type Asked = { uri: string; reply: Reply }

/** What is wrong with the records of some requests; '' when there is one of each and no other. */
function wrongIn({ batches, records }: Inbox, asked: readonly Asked[]): string {
  const faults = batches.flatMap((batch) => batch.faults)
  const seen = Map.groupBy(records(), ({ ClientRequestURI: uri }) => uri)
  const counts = asked.map(({ uri }) => seen.get(uri)?.length ?? 0)
  const known = new Set<unknown>(asked.map(({ uri }) => uri))
  const isUntrue = ({ uri, reply }: Asked) =>
    seen.get(uri)?.some(({ EdgeResponseStatus: status }) => Number(status) !== reply.status)
  const wrongs: [count: number, words: string][] = [
    [faults.length, `malformed (${faults[0]})`],
    [counts.filter((count) => count === 0).length, 'missing'],
    [counts.filter((count) => count > 1).length, 'there more than once'],
    [asked.filter(isUntrue).length, 'with another status'],
    [[...seen.keys()].filter((uri) => !known.has(uri)).length, 'of requests that nobody made']
  ]
  const found = wrongs.filter(([count]) => count > 0)
  return found.map(([count, words]) => `${count} ${words}`).join(', ')
}

export default check({
  title: 'A job delivers a record of every request, also when its destination fails for a while',
  clauses: [clause],
  needs: ['management', 'edge', 'zone', 'destination', 'pushLogs'],
  async run(context) {
    await using on = await stage(context)
    const { edge, random, verify } = context
    const { reply: created, inbox } = await on.create({
      filter: undefined,
      output_options: { field_names: options.field_names, sample_rate: 1 }
    })
    if (!isServed(created)) return
    const client = edge.as(on.zone.host)
    const asked: Asked[] = []
    const visit = async (count: number) => {
      for (let number = 0; number < count; number++) {
        const uri = `${number % 2 ? '/echo' : '/nothing-here'}?${freshId(random)}`
        asked.push({ uri, reply: await client.get(uri) })
      }
    }
    const judge = (when: string) => {
      const wrong = wrongIn(inbox, asked)
      const saw = `${asked.length} requests, ${when}: ${wrong || 'a record of each'}`
      verify(clause, { holds: wrong === '', saw }, created, ...asked.map(({ reply }) => reply))
      return wrong === ''
    }

    await visit(20)
    await on.push()
    if (!asked.every(({ reply }) => isOk(reply) || reply.status === 404)) return
    if (!judge('delivered')) return
    inbox.refuse({ batches: 1, status: 503 })
    await visit(5)
    for (let attempt = 0; attempt < attempts && wrongIn(inbox, asked) !== ''; attempt++)
      await on.push()
    if (inbox.refused() > 0) judge('delivered after a batch was turned away')
  }
})
