import { type Context, isAnswered, type Judge, type Reply } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { fetching, together } from './_command.ts'
import { deployedOn, graceMs, openServer, type Probe, patienceMs } from './_stage.ts'

/** Connections one request may have open. */
export const most = 6
/** Connections it is made to want, where nothing is said of how many. */
const some = 20

/** What the backend saw of two requests that want more connections than they may have. */
export type Occupation = {
  /** The most that each of them had open at once. */
  peaks: [number, number]
  /** Whether another began as soon as one of the first request's had ended. */
  hasStarted: boolean
  /** How many of the first request's attempts were made in the end. */
  made: number
  replies: [Reply, Reply]
}

/**
 * Lets two requests at once open as many connections as they can, none of which is answered; the
 * first of them attempts so many.
 */
export async function occupy(context: Context, probe: Probe, attempts = some): Promise<Occupation> {
  await using server = await openServer(context)
  const channels = [server.channel('one'), server.channel('other')] as const
  const asked = channels.map((channel, at) => {
    const one = fetching(channel.url({ hold: 'head' }))
    const length = at === 0 ? attempts : some
    return probe.ask(together(...Array.from({ length }, () => one)))
  })
  await Promise.all(
    channels.map((channel) => channel.until(({ open }) => open >= most, patienceMs))
  )
  await channels[0].until(({ open }) => open > most, graceMs)
  const [peak, other] = [channels[0].seen().peak, channels[1].seen().peak]
  const before = channels[0].seen().requests
  channels[0].release(1)
  // Where all of them were made at once, none is left that could begin.
  const isWaiting = before < attempts
  const hasStarted =
    isWaiting && (await channels[0].until(({ requests }) => requests > before, patienceMs))
  // What ends and what begins in its place may be seen in either order.
  if (hasStarted) await channels[0].until(() => false, graceMs)
  const peaks: [number, number] = [Math.max(peak, channels[0].seen().open), other]
  for (const channel of channels) channel.release()
  const replies = (await Promise.all(asked)) as [Reply, Reply]
  return { peaks, hasStarted, made: channels[0].seen().requests, replies }
}

/** Judges how many connections each of two requests can have, on each of some plans. */
export async function judgeMost(
  context: Context & Judge,
  { clause, plans }: { clause: string; plans: readonly FunctionPlan[] }
): Promise<void> {
  const probes = await deployedOn(context, plans)
  for (const [plan, probe] of probes) {
    const { peaks, replies } = await occupy(context, probe)
    // Where no connection came at all, something else was in their way; what came was seen here,
    // whatever becomes of the answer.
    if (peaks.every((peak) => peak === 0)) return
    if (!replies.every(isAnswered) && peaks.some((peak) => peak < most)) return
    const saw = `${plan}: ${peaks.join(' and ')} connections at once for two requests`
    const holds = peaks.every((peak) => peak === most)
    context.verify(clause, { holds, saw }, ...replies)
  }
}
