import { type Context, check, digest, type Look, matrix, summary } from 'plimsoll'
import { freshId } from '../_id.ts'
import { echo } from './_echo.ts'

const clause = 'limits.request.url-length'
/** Which pieces of a head come by themselves: what is behind them comes at once. */
const cuts = { 'its first byte': [1], 'six bytes, each': [1, 1, 1, 1, 1, 1], 'its start': [18] }
const ways = matrix({
  method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  cut: Object.keys(cuts) as (keyof typeof cuts)[]
})

/** Sends a request whose head comes in pieces, and has the echo tell what arrived of it. */
async function sent({ edge, random }: Context, { method, cut }: (typeof ways)[number]) {
  const path = `${echo}?${freshId(random)}`
  const hasBody = method.startsWith('P')
  const body = hasBody ? { body: { bytes: 70_001, framing: 'length' as const } } : {}
  const reply = await edge.zone('pro').send({ method, path, ...body, headPieces: cuts[cut] })
  const { method: by, url, sha256 } = reply.json ?? {}
  const holds = by === method && url === path && (!hasBody || sha256 === digest(70_001))
  const asked = `${method} of which ${cut} came first, by itself`
  return { asked, holds, saw: `${reply.because}: ${by} ${url}`, reply } satisfies Look
}

export default check({
  title: 'A request within the limits is taken in whatever pieces its head arrives',
  clauses: [clause],
  // A request of which a piece is taken for something else may be closed, or wait for ever.
  expectedReplies: ['closed', 'garbage', 'timeout'],
  needs: ['edge'],
  async run(context) {
    const whole = await context.edge.zone('pro').get(`${echo}?${freshId(context.random)}`)
    if (whole.json?.method !== 'GET') return
    const looks = await Promise.all(ways.map((way) => sent(context, way)))
    context.verify(clause, ...summary(looks)!)
  }
})
