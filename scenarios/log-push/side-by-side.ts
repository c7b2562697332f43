import { check, isAnswered, type Look, type Reply, summary } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed } from '../_reply.ts'
import { where } from './_filter.ts'
import { type Created, stage, uris } from './_stage.ts'

const clause = 'logpush.job.delivers-records'

/** A job, and which of the requests from a number on it has to deliver. */
type Own = Created & { name: string; from: number; takes: (uri: string) => boolean }

const rounds = 4
const visitors = 5
/** How often a delivery is asked for once the destination turns none away any more. */
const attempts = 3
const isMarked = (uri: string) => uri.endsWith('-marked')
const marked = { key: 'ClientRequestURI', operator: 'contains', value: '-marked' }

/** Whether a job has delivered a record of each of the requests that it takes, and of no other. */
function lookAt({ name, from, takes, inbox, reply }: Own, asked: readonly string[]): Look {
  const meant = asked.slice(from).filter(takes)
  const came = uris(inbox)
  const holds = came.length === meant.length && meant.every((uri) => came.includes(uri))
  return { asked: name, holds, saw: `${came.length} of ${meant.length} records`, reply }
}

/**
 * The same of a job whose destination has turned records away: whether these come again is not
 * said, nor whether such a job is given up. What it delivers is its own, and all there was since.
 */
function lookAtRest(
  { name, from, inbox, reply }: Own,
  asked: readonly string[],
  since: number
): Look {
  const [meant, rest] = [asked.slice(from), asked.slice(since)]
  const came = uris(inbox)
  const known = rest.filter((uri) => came.includes(uri)).length
  const isOwn = came.every((uri) => meant.some((one) => one === uri))
  const holds = isOwn && (came.length === 0 || known === rest.length)
  return { asked: name, holds, saw: `${came.length} records, ${known} of the last`, reply }
}

export default check({
  title: 'Jobs deliver what is their own, round after round, whatever becomes of other jobs',
  clauses: [clause],
  needs: ['management', 'edge', 'zone', 'destination', 'pushLogs'],
  async run(context) {
    await using on = await stage(context)
    const { edge, random, verify } = context
    const client = edge.as(on.zone.host)
    const asked: string[] = []
    const replies: Reply[] = []
    const add = async (told: string, status = 200, filter?: string): Promise<Own> => {
      const name = `${told} (HTTP ${status})`
      const takes = filter === undefined ? () => true : isMarked
      const own = { ...(await on.create({ name, filter })), name, from: asked.length, takes }
      own.inbox.answer(status)
      return own
    }

    const failing = await add('one whose destination fails for a while')
    // Each of these says by its status that a batch has come (RFC 9110, 15.3).
    const filter = where({ and: [marked] })
    const others = [await add('one with a filter', 201, filter), await add('another', 204)]
    const leaving = await on.create({ filter: undefined })
    // It may say so, or not.
    const away = random() < 0.5 ? { status: 503 } : {}
    failing.inbox.refuse({ batches: Number.POSITIVE_INFINITY, ...away })
    const looks: Look[] = []
    // A target may have room for only some of them.
    const see = (jobs: Own[]) => {
      for (const job of jobs) if (isServed(job.reply)) looks.push(lookAt(job, asked))
    }
    const visit = async () => {
      const visits = Array.from({ length: visitors }, (_, number) => {
        return `/echo?${freshId(random)}${number === 0 ? '-marked' : ''}`
      })
      replies.push(...(await Promise.all(visits.map((uri) => client.get(uri)))))
      asked.push(...visits)
      await on.push()
    }
    for (let round = 0; round < rounds; round++) {
      await visit()
      see(others)
      if (round > 0) continue
      // One that goes takes no other with it, and one that comes finds its place.
      await on.discard(leaving)
      others.push(await add('one that was created later', 202))
    }
    failing.inbox.refuse({ batches: 0 })
    const since = asked.length
    await visit()
    // What is turned away may be tried again before what came later.
    const isDone = () => uris(failing.inbox).length > 0 && lookAtRest(failing, asked, since).holds
    for (let again = 1; again < attempts && !isDone(); again++) await on.push()
    see(others)
    if (isServed(failing.reply)) looks.push(lookAtRest(failing, asked, since))
    const found = summary(looks)
    if (found && replies.every(isAnswered)) verify(clause, ...found, ...replies)
  }
})
