import { check, type Delivered, isAnswered, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed } from '../_reply.ts'
import { stage } from './_stage.ts'

const clause = 'logpush.job.field.destination-conf'

const folder = 'logs/of zone'

/** What is wrong with a batch as an object of a storage service; '' when nothing is. */
function wrongWith({ method, path, headers, faults }: Delivered, signature: string): string {
  if (method !== 'PUT') return `sent with ${method}`
  if (!decodeURIComponent(path).includes(`/${folder}/`)) return `kept at ${path}`
  if (!headers.authorization?.startsWith(signature)) return `signed ${headers.authorization}`
  return faults[0] ?? ''
}

export default check({
  title: 'A job delivers to a storage service: every record is in an object of its destination',
  clauses: [clause],
  needs: ['management', 'edge', 'zone', 'destination', 'storage', 'pushLogs'],
  async run(context) {
    await using on = await stage(context)
    const { adapter, edge, random, verify } = context
    const inbox = on.inbox()
    const access = { region: 'eu-west-7', accessKeyId: 'K3Y', secretAccessKey: 'a/secret+' }
    const destination_conf = await adapter.storage(`${inbox.url}/${folder}`, access)
    const { reply: created } = await on.create({ filter: undefined, destination_conf }, inbox)
    if (!isServed(created)) return
    const replies: Reply[] = []
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 2; count++)
        replies.push(await edge.as(on.zone.host).get(`/echo?${freshId(random)}`))
      await on.push()
    }
    if (!replies.every(isAnswered)) return
    const { batches } = inbox
    // An object that is written again is the one that was written last.
    const kept = [...new Map(batches.map((batch) => [batch.path, batch])).values()]
    const stored = kept.flatMap(({ records }) => records.map((one) => `${one.ClientRequestURI}`))
    const missing = replies.filter(
      ({ request }) => !stored.some((uri) => request.url.endsWith(uri))
    )
    const wrong = batches.map((batch) => wrongWith(batch, 'AWS4-HMAC-SHA256 Credential=K3Y/'))
    const [odd = ''] = wrong.filter(Boolean)
    const told = `${replies.length} requests, ${missing.length} in none of ${kept.length} objects`
    const saw = odd === '' ? told : `${told}, one was ${odd}`
    verify(clause, { holds: missing.length === 0 && odd === '', saw }, created, ...replies)
  }
})
