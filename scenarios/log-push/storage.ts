import { check, type Delivered, type Inbox, isAnswered, type Reply, sink } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isBesideThePoint, isServed } from '../_reply.ts'
import { faultIn } from './_signature.ts'
import { type Access, recordsIn, stage } from './_stage.ts'

const clause = 'logpush.job.field.destination-conf'

const folder = 'Logs/of zone'

/** Whose jobs deliver to the same folder: each must sign for itself, and overwrite nothing. */
const accesses: readonly Access[] = [
  { region: 'eu-west-7', accessKeyId: 'K3Y', secretAccessKey: 'a/secret+' },
  { region: 'us-east-9', accessKeyId: 'AN0THER', secretAccessKey: 'another secret' }
]

/** Whose an object is, by the credential it was signed with. */
const isOf = ({ headers }: Delivered, { accessKeyId }: Access) =>
  headers.authorization?.includes(`Credential=${accessKeyId}/`)

/** What is wrong with a batch as an object of a storage service; '' when nothing is. */
function wrongWith(batch: Delivered): string {
  const { method, path, faults } = batch
  if (method !== 'PUT') return `sent with ${method}`
  if (!decodeURIComponent(path).includes(`/${folder}/`)) return `kept at ${path}`
  return faultIn(batch, accesses.find((one) => isOf(batch, one)) ?? accesses[0]!) || faults[0] || ''
}

export default check({
  title: 'A job delivers to a storage service: every record is in an object of its destination',
  clauses: [clause],
  needs: ['management', 'edge', 'zone', 'destination', 'storage', 'pushLogs'],
  async run(context) {
    await using on = await stage(context)
    const { adapter, edge, random, verify } = context
    await using elsewhere = await sink()
    // Two in the same place, and one with another service, which has the second one's credential.
    const [shared, other] = [on.inbox(), elsewhere.inbox(freshId(random))]
    const jobs = [
      ...accesses.map((access) => ({ access, inbox: shared })),
      { access: accesses[1]!, inbox: other }
    ]
    const created: Reply[] = []
    for (const { access, inbox } of jobs) {
      const destination_conf = await adapter.storage(`${inbox.url}/${folder}`, access)
      const { reply } = await on.create({ filter: undefined, destination_conf }, inbox)
      created.push(reply)
    }
    const refused = created.find((reply) => !isServed(reply))
    if (refused) {
      // Where other jobs are taken, it is this address of a storage service that is not.
      if (isBesideThePoint(refused) || (await on.isFull())) return
      if (!isServed(await on.offer({ filter: undefined }))) return
      return verify(clause, { holds: false, saw: `refused, ${refused.because}` }, refused)
    }
    const replies: Reply[] = []
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 2; count++)
        replies.push(await edge.as(on.zone.host).get(`/echo?${freshId(random)}`))
      await on.push()
    }
    if (!replies.every(isAnswered)) return
    // In which format they come is not documented: one that nobody here reads decides nothing.
    recordsIn(shared)
    // An object that is written again is the one that was written last.
    const keptIn = ({ batches }: Inbox) => [
      ...new Map(batches.map((batch) => [batch.path, batch])).values()
    ]
    const missing = jobs.flatMap(({ access, inbox }) => {
      const own = keptIn(inbox).filter((batch) => isOf(batch, access))
      const stored = own.flatMap(({ records }) => records.map((one) => `${one.ClientRequestURI}`))
      return replies.filter(({ request }) => !stored.some((uri) => request.url.endsWith(uri)))
    })
    const batches = [shared, other].flatMap((inbox) => inbox.batches)
    const [odd = ''] = batches.map(wrongWith).filter(Boolean)
    const objects = [shared, other].flatMap(keptIn).length
    const lost = `${missing.length} records in none of ${objects} objects`
    const told = `${replies.length} requests, ${lost}`
    const saw = odd === '' ? told : `${told}, one was ${odd}`
    verify(clause, { holds: missing.length === 0 && odd === '', saw }, created[0]!, ...replies)
  }
})
