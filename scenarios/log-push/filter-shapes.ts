import { check, isAnswered, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed, isTurnedDown } from '../_reply.ts'
import { and, eq, type Filter, or, where } from './_filter.ts'
import { type Created, stage, uris } from './_stage.ts'

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

export default check({
  title: 'A filter selects what its shape of `and` and `or` says',
  clauses: Object.keys(shapesOf('').combined),
  needs: ['management', 'edge', 'zone', 'destination', 'pushLogs'],
  async run(context) {
    await using on = await stage(context)
    const { edge, random, verify } = context
    const agent = freshId(random)
    const { single, combined } = shapesOf(agent)
    const create = async (shape: Shape) => ({
      ...shape,
      created: await on.create({ filter: where(shape.filter) })
    })
    const plain = await Promise.all(single.map(create))
    const judged = new Map<string, Shape & { created: Created }>()
    for (const [clause, shape] of Object.entries(combined)) judged.set(clause, await create(shape))

    const requests = truthTable.map((one) => ({ ...one, ...requestOf(one, agent) }))
    const client = edge.as(on.zone.host)
    const replies: Reply[] = []
    for (const { method, uri, headers } of requests)
      replies.push(await client[method](uri, { headers }))
    await on.push()

    const selection = ({ created, isTrue }: Shape & { created: Created }) => {
      const wanted = requests.filter(({ truths }) => isTrue(...truths)).map(({ uri }) => uri)
      const found = uris(created.inbox)
      const isRight = found.length === wanted.length && wanted.every((uri) => found.includes(uri))
      return { wanted, found, isRight }
    }
    if (!replies.every(isAnswered) || !plain.every((one) => selection(one).isRight)) return
    for (const [clause, shape] of judged) {
      const { reply } = shape.created
      const { wanted, found, isRight } = selection(shape)
      const names = (list: unknown[]) => list.map((uri) => `${uri}`.split('=')[1]).join(' ')
      const selected = `of the 8 rows, selected ${names(found)}; it should be ${names(wanted)}`
      const saw = isTurnedDown(reply) ? `refused, ${reply.because}` : selected
      verify(clause, { holds: isServed(reply) && isRight, saw }, reply, ...replies)
    }
  }
})
