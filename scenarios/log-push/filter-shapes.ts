import { type Context, check, isAnswered, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed, isTurnedDown } from '../_reply.ts'
import { and, eq, type Filter, or, where } from './_filter.ts'
import { stage, uris } from './_stage.ts'

type Truths = [x: boolean, y: boolean, z: boolean]

/** A filter, and when it is true. */
type Shape = { filter: Filter; isTrue: (...truths: Truths) => boolean }

const path = '/echo'

/** Every way in which X, Y and Z can be true and false. */
const truthTable = Array.from({ length: 8 }, (_, number): { number: number; truths: Truths } => ({
  number,
  truths: [(number & 4) > 0, (number & 2) > 0, (number & 1) > 0]
}))

/** A request of which X, Y and Z are true as they are given. */
function requestOf({ number, truths: [x, y, z] }: (typeof truthTable)[number], agent: string) {
  return {
    uri: `${x ? path : '/nothing-here'}?row=${number}`,
    headers: { 'user-agent': y ? agent : 'another' },
    method: z ? ('get' as const) : ('delete' as const)
  }
}

/** Shapes of one condition, which show whether those work at all, and the ones to be judged. */
function shapesOf(agent: string) {
  const x = eq('ClientRequestPath', path)
  const y = eq('ClientRequestUserAgent', agent)
  const z = eq('ClientRequestMethod', 'GET')
  const single: Shape[] = [
    { filter: and(x), isTrue: (x) => x },
    { filter: and(y), isTrue: (_x, y) => y },
    { filter: and(z), isTrue: (_x, _y, z) => z }
  ]
  const combined: { [clause: string]: Shape } = {
    'logpush.filter.shape-x-and-y-and-z': {
      filter: and(x, y, z),
      isTrue: (x, y, z) => x && y && z
    },
    'logpush.filter.shape-x-or-y-or-z': { filter: or(x, y, z), isTrue: (x, y, z) => x || y || z },
    'logpush.filter.shape-x-and-y-or-z': {
      filter: and(x, or(y, z)),
      isTrue: (x, y, z) => x && (y || z)
    },
    'logpush.filter.shape-x-and-y--or-z': {
      filter: or(and(x, y), z),
      isTrue: (x, y, z) => (x && y) || z
    }
  }
  return { single, combined }
}

type Created = { reply: Reply; isFull: boolean; isRight: boolean; saw: string }

/** What jobs with these filters, of a zone of their own, select of all rows; and the answers. */
async function selected(context: Context, { agent, shapes }: { agent: string; shapes: Shape[] }) {
  await using on = await stage(context)
  const jobs = []
  for (const { filter, isTrue } of shapes) {
    const { reply, inbox } = await on.create({ filter: where(filter) })
    // A zone may have room for only a few.
    jobs.push({ reply, inbox, isTrue, isFull: !isServed(reply) && (await on.isFull()) })
  }
  const requests = truthTable.map((one) => ({ ...one, ...requestOf(one, agent) }))
  const client = context.edge.as(on.zone.host)
  const replies: Reply[] = []
  for (const { method, uri, headers } of requests)
    replies.push(await client[method](uri, { headers }))
  await on.push()
  const names = (list: unknown[]) => list.map((uri) => `${uri}`.split('=')[1]).join(' ')
  const found = jobs.map(({ reply, inbox, isTrue, isFull }): Created => {
    const wanted = requests.filter(({ truths }) => isTrue(...truths)).map(({ uri }) => uri)
    const came = uris(inbox)
    const isRight = came.length === wanted.length && wanted.every((uri) => came.includes(uri))
    const saw = `of the 8 rows, selected ${names(came)}; it should be ${names(wanted)}`
    return { reply, isFull, isRight, saw }
  })
  return { found, replies }
}

export default check({
  title: 'A filter selects what its shape of `and` and `or` says',
  clauses: Object.keys(shapesOf('').combined),
  needs: ['management', 'edge', 'zone', 'destination', 'pushLogs'],
  async run(context) {
    const agent = freshId(context.random)
    const { single, combined } = shapesOf(agent)
    const plain = await selected(context, { agent, shapes: single })
    if (!plain.replies.every(isAnswered) || !plain.found.every(({ isRight }) => isRight)) return
    const { found, replies } = await selected(context, { agent, shapes: Object.values(combined) })
    if (!replies.every(isAnswered)) return
    for (const [nth, clause] of Object.keys(combined).entries()) {
      const { reply, isFull, isRight, saw } = found[nth]!
      if (isFull) context.leave(clause, 'the zone takes no more jobs', reply)
      else {
        const told = isTurnedDown(reply) ? `refused, ${reply.because}` : saw
        context.verify(clause, { holds: isServed(reply) && isRight, saw: told }, reply, ...replies)
      }
    }
  }
})
