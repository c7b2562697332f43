import { isIP } from 'node:net'
import { type Client, check, type Inbox, isOk, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed } from '../_reply.ts'
import { options, recordsIn, stage } from './_stage.ts'

const clause = 'logpush.job.delivers-records'

const more = ['ClientRequestMethod', 'ClientRequestPath', 'ClientRequestUserAgent', 'ClientIP']

/** How often a delivery is asked for after the destination turned one away, to be tried again. */
const attempts = 3

/** What a record says of a request besides, as far as its sender knows. */
type Told = Record<'ClientRequestMethod' | 'ClientRequestPath' | 'ClientRequestUserAgent', string>

type Asked = { uri: string; reply: Reply; told: Told }

const methods = ['get', 'post', 'delete', 'head'] as const

/** Makes a request that differs from the one before in all that a record tells of it. */
async function request(client: Client, { number, nonce }: { number: number; nonce: string }) {
  const method = methods[number % methods.length]!
  const path = number % 2 ? '/echo' : '/nothing-here'
  const agent = `visitor "${number}" \\ ${nonce}`
  const uri = `${path}?${nonce}`
  const reply = await client[method](uri, { headers: { 'user-agent': agent } })
  const told = {
    ClientRequestMethod: method.toUpperCase(),
    ClientRequestPath: path,
    ClientRequestUserAgent: agent
  }
  return { uri, reply, told }
}

/**
 * What is wrong with the records of some requests; '' when there is one of each, but for those that
 * may be lost, and no other.
 */
function wrongIn(inbox: Inbox, asked: readonly Asked[], mayBeLost: readonly Asked[]): string {
  const faults = inbox.batches.flatMap((batch) => batch.faults)
  const seen = Map.groupBy(recordsIn(inbox), ({ ClientRequestURI: uri }) => uri)
  const countOf = ({ uri }: Asked) => seen.get(uri)?.length ?? 0
  const lost = asked.filter((one) => !mayBeLost.includes(one) && countOf(one) === 0)
  const known = new Set<unknown>(asked.map(({ uri }) => uri))
  const isUntrue = ({ uri, reply }: Asked) =>
    seen.get(uri)?.some(({ EdgeResponseStatus: status }) => Number(status) !== reply.status)
  // A field that is not there at all is the matter of those that were asked for.
  const isOther = (record: Record<string, unknown>, told: Told) =>
    Object.entries(told).some(([name, value]) => name in record && record[name] !== value)
  const isMistold = ({ uri, told }: Asked) => seen.get(uri)?.some((one) => isOther(one, told))
  const isStray = ({ ClientIP: address }: Record<string, unknown>) =>
    address !== undefined && isIP(`${address}`) === 0
  const wrongs: [count: number, words: string][] = [
    [faults.length, `malformed (${faults[0]})`],
    [lost.length, 'missing'],
    [asked.filter((one) => countOf(one) > 1).length, 'there more than once'],
    [asked.filter(isUntrue).length, 'with another status'],
    [asked.filter(isMistold).length, 'of another request'],
    [recordsIn(inbox).filter(isStray).length, 'from no address'],
    [[...seen.keys()].filter((uri) => !known.has(uri)).length, 'of requests that nobody made']
  ]
  const found = wrongs.filter(([count]) => count > 0)
  return found.map(([count, words]) => `${count} ${words}`).join(', ')
}

export default check({
  title: 'A job delivers a record of every request, also behind what its destination turned away',
  clauses: [clause],
  needs: ['management', 'edge', 'zone', 'destination', 'pushLogs'],
  async run(context) {
    await using on = await stage(context)
    const { edge, random, verify } = context
    const { reply: created, inbox } = await on.create({
      filter: undefined,
      output_options: { field_names: [...options.field_names, ...more], sample_rate: 1 }
    })
    if (!isServed(created)) return
    const client = edge.as(on.zone.host)
    // The job is one of its zone: what happens in another one is no record of it.
    const elsewhere = edge.as((await context.adapter.zone('enterprise')).host)
    const asked: Asked[] = []
    // They come at the same time, as those of visitors do.
    const visit = async (count: number) => {
      const made = Array.from({ length: count }, (_, number) =>
        request(client, { number, nonce: freshId(random) })
      )
      const visits = await Promise.all(made)
      asked.push(...visits)
      await request(elsewhere, { number: 1, nonce: freshId(random) })
      return visits
    }
    // That what was turned away is sent again is not said.
    const mayBeLost: Asked[] = []
    const wrongs = () => wrongIn(inbox, asked, mayBeLost)
    const judge = (when: string) => {
      const wrong = wrongs()
      const saw = `${asked.length} requests, ${when}: ${wrong || 'a record of each'}`
      verify(clause, { holds: wrong === '', saw }, created, ...asked.map(({ reply }) => reply))
      return wrong === ''
    }

    await visit(20)
    await on.push()
    if (!asked.every(({ reply }) => isOk(reply) || reply.status === 404)) return
    if (!judge('delivered')) return
    // Whoever is away may say so, or not.
    for (const away of [{ status: 503 }, {}]) {
      const before = inbox.refused()
      inbox.refuse({ batches: 1, ...away })
      mayBeLost.push(...(await visit(5)))
      await on.push()
      const isBehind = inbox.refused() > before
      const next = await visit(3)
      if (!isBehind) mayBeLost.push(...next)
      for (let attempt = 0; attempt < attempts && wrongs() !== ''; attempt++) await on.push()
      if (!judge(`delivered after ${inbox.refused()} batches were turned away`)) return
    }
    await visit(2)
    await on.push()
    judge('delivered once more')
  }
})
