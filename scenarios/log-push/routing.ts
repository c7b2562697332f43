import { type Context, check, type Delivered, isAnswered, type Judge, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed } from '../_reply.ts'
import { recordsIn, type Stage, stage, uris } from './_stage.ts'

const dataset = 'logpush.job.field.dataset'
const destination = 'logpush.job.field.destination-conf'

/** An address below an inbox in which every part says something, as addresses do. */
const below = '/Logs/of%20Zone/a.b?Key=V%26al&tag=1&tag=2'

/** Whether a batch came to an address, or below it; more parameters may have been added. */
function isAt({ path }: Delivered, address: string): boolean {
  const [came, meant] = [URL.parse(path, address), new URL(address)] as const
  const has = ([name, value]: [string, string]) => came?.searchParams.getAll(name).includes(value)
  return came?.pathname.startsWith(meant.pathname) === true && [...meant.searchParams].every(has)
}

/** A job whose destination is an address with a path and parameters delivers there. */
async function addressed({ adapter }: Context, on: Stage) {
  const inbox = on.inbox()
  const destination_conf = await adapter.destination(inbox.url + below)
  const { reply } = await on.create({ filter: undefined, destination_conf }, inbox)
  return ({ verify }: Judge) => {
    // A target may take other addresses only.
    if (!isServed(reply) || inbox.batches.length === 0) return
    const odd = inbox.batches.find((batch) => !isAt(batch, inbox.url + below))
    const saw = `for ${below}, came to ${(odd ?? inbox.batches[0]!).path.slice(0, 120)}`
    verify(destination, { holds: odd === undefined, saw }, reply)
  }
}

/** Fields by which records of jobs with one destination are told apart. */
const marks = ['ClientRequestMethod', 'ClientRequestPath', 'ClientRequestHost']

/** Jobs with one destination deliver there each for itself, one of them those of another zone. */
async function shared({ adapter }: Context, on: readonly Stage[]) {
  const inbox = on[0]!.inbox()
  const destination_conf = await adapter.destination(inbox.url)
  const created: { reply: Reply; mark: string; zone: Stage }[] = []
  for (const [nth, mark] of marks.entries()) {
    const zone = on[nth % on.length]!
    const output_options = { field_names: ['ClientRequestURI', mark] }
    const change = { filter: undefined, output_options, destination_conf }
    created.push({ reply: (await zone.create(change, inbox)).reply, mark, zone })
  }
  return ({ verify }: Judge, asked: readonly { uri: string; zone: Stage }[]) => {
    const jobs = created.filter(({ reply }) => isServed(reply))
    // There may be room for only one, or one of each zone.
    if (jobs.length < 2) return
    const counts = jobs.map(({ mark, zone }) => {
      const came = recordsIn(inbox).filter((record) => mark in record)
      const own = asked.filter((one) => one.zone === zone)
      return [own.filter(({ uri }) => came.some((one) => one.ClientRequestURI === uri)), own]
    })
    const holds = counts.every(([came, own]) => came!.length === own!.length)
    const told = counts.map(([came, own]) => `${came!.length} of ${own!.length}`).join(', ')
    const saw = `jobs with one destination: ${told} records`
    const [first, ...others] = jobs.map(({ reply }) => reply)
    verify(destination, { holds, saw }, first!, ...others)
  }
}

export default check({
  title: 'A job delivers the records of its dataset, and to its own destination',
  clauses: [dataset, destination],
  needs: ['management', 'edge', 'zone', 'destination', 'pushLogs'],
  async run(context) {
    await using on = await stage(context)
    await using elsewhere = await stage(context)
    const { edge, random, verify } = context
    const plain = { filter: undefined, output_options: undefined }
    const first = await on.create(plain)
    const second = await on.create(plain)
    const events = await on.create({ ...plain, dataset: 'firewall_events' })
    if (!isServed(first.reply) || !isServed(second.reply)) return
    const judges = [await addressed(context, on), await shared(context, [on, elsewhere])]
    const visits = Array.from({ length: 6 }, (_, nth) => {
      return { uri: `/echo?${freshId(random)}`, zone: nth % 2 ? elsewhere : on }
    })
    const asked = visits.filter(({ zone }) => zone === on).map(({ uri }) => uri)
    const replies: Reply[] = []
    for (const { uri, zone } of visits) replies.push(await edge.as(zone.zone.host).get(uri))
    await on.push()
    await elsewhere.push()
    if (!replies.every(isAnswered)) return
    const counts = [first, second, events].map(({ inbox }) => {
      const found = uris(inbox)
      return asked.filter((uri) => found.includes(uri)).length
    }) as [first: number, second: number, events: number]
    const saw = `of ${asked.length} requests, ${counts[0]} and ${counts[1]} came to the two places`
    if (counts[0] + counts[1] === 0) return
    verify(destination, { holds: counts[0] > 0 && counts[1] > 0, saw }, first.reply, second.reply)
    for (const judge of judges) judge(context, visits)
    // Which datasets there are besides is not documented.
    if (!isServed(events.reply)) return
    const came = `${saw}, ${counts[2]} to that of a job on another dataset`
    verify(dataset, { holds: counts[2] === 0, saw: came }, events.reply, ...replies)
  }
})
