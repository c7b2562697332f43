import type { ShareResult } from '../load/figures/result.ts'
import type { SendTarget } from '../load/link.ts'
import { createPartSender, type PartSender } from '../load/sender.ts'
import { type Confined, confined } from './confine.ts'
import type { Destination, OpenOrder, Source, TrialOrder } from './load-worker.ts'
import { beating, type Pulse } from './pulse.ts'
import { createStop } from './stop.ts'

export { settle } from './leftovers.ts'

/** How whoever gave the order sees that it goes on. */
type Pulsed = { pulse: Pulse }

/** What this thread sends by, and whose code that runs; nothing before the first order. */
let sender: PartSender | undefined
let sources: readonly Source[] = []

/** Does what may run the code of a scenario, as the one to blame for what it throws. */
function blaming<Value>(source: Source | undefined, work: () => Promise<Value>) {
  if (source === undefined || 'requests' in source) return work().then((ok) => ({ ok }))
  const { scenario, file } = source.unit
  return confined({ owner: scenario, file }, work)
}

async function targetOf({ source, ...connecting }: Destination): Promise<SendTarget> {
  if ('requests' in source) return { ...connecting, request: source.requests }
  const { askedBy } = await import('./scenario-source.ts')
  return { ...connecting, ...(await askedBy(source)) }
}

/** Makes this thread's part of the connections to all destinations. */
export function open(order: OpenOrder & Pulsed): Promise<Confined<undefined>> {
  const { destinations, share, withinMs, pulse } = order
  sources = destinations.map(({ source }) => source)
  const scenario = sources.find((source) => 'unit' in source)
  const make = async () => {
    sender?.close()
    sender = createPartSender(share)
    const targets = await Promise.all(destinations.map(targetOf))
    await sender.open(targets, withinMs)
    return undefined
  }
  return beating(pulse, () => blaming(scenario, make))
}

/** Carries out this thread's part of a load. */
export function trial(order: TrialOrder & Pulsed): Promise<Confined<ShareResult[]>> {
  const { to, stop, pulse, ...given } = order
  const { requested: stopped } = createStop(stop)
  const carryOut = async () => {
    if (sender === undefined) throw new Error('its connections are gone with the thread before it')
    return sender.inTurns(to, { ...given, stopped })
  }
  return beating(pulse, () => blaming(sources[to[0]!], carryOut))
}

/** Ends this thread's connections. */
export function close({ pulse }: Pulsed): Promise<Confined<undefined>> {
  return beating(pulse, async () => {
    sender?.close()
    sender = undefined
    return { ok: undefined }
  })
}
