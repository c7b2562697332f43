import { type Channel, type Context, isOk, type Judge } from 'plimsoll'
import { beyondOf, judgeTooLarge, type Plan } from '../edge/_too-large.ts'
import { type CallableServer, openServer, patienceMs } from '../functions/_stage.ts'

/** A body that is too large for its plan, as it is sent. */
export type Way = Omit<Parameters<typeof judgeTooLarge>[1], 'client' | 'path' | 'isServing'>

/** Sends such bodies to zones behind each of which is a server, and judges what becomes of them. */
export async function judgeBehind(
  context: Context & Judge,
  {
    ways,
    plans,
    prepare
  }: { ways: readonly Way[]; plans: readonly Plan[]; prepare?: (zone: string) => Promise<void> }
): Promise<void> {
  await using server = await openServer(context)
  for (const plan of plans) {
    const { id, host } = await context.adapter.zone(plan)
    await prepare?.(id)
    const own = ways.filter((way) => way.plan === plan)
    await judgeZone(context, { server, id, host, plan, ways: own })
  }
}

const pathOf = (url: string) => new URL(url).pathname + new URL(url).search

type Zone = { server: CallableServer; id: string; host: string; plan: Plan; ways: Way[] }

async function judgeZone(context: Context & Judge, { server, id, host, plan, ways }: Zone) {
  const small = server.channel(`small-${plan}`).url()
  await context.adapter.origin(id, new URL(small).origin)
  const client = context.edge.as(host)
  const isServing = async () => isOk(await client.post(pathOf(small), { body: 'small' }))
  if (!(await isServing())) return
  for (const [at, way] of ways.entries()) {
    const channel = server.channel(`${plan}-${at}`)
    // Who answers before all of a body is there may be sent no more of it.
    const isOver = ({ received, requests, open }: ReturnType<Channel['seen']>) =>
      received >= beyondOf(plan) || requests > open
    const isHeld = way.framing === 'chunked'
    if (isHeld) channel.until(isOver, patienceMs).then(() => channel.release())
    const url = channel.url(isHeld ? { hold: 'head' } : {})
    await judgeTooLarge(context, { ...way, client, path: pathOf(url), isServing })
  }
}
