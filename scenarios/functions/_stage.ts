import {
  backend,
  type Channel,
  type Client,
  type Context,
  type Reply,
  type SocketChannel
} from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import type { Command } from './_command.ts'
import { functionPlans } from './_plan.ts'
import type { Place, Wanted } from './_probing.ts'

/** How long something is given to happen that must not happen. */
export const graceMs = 300

/** Pauses a probe can make before what must come after something else; one is long enough. */
export const leadsMs = [500, 4_000]

/** How long something is waited for that must happen; longer than a busy machine takes. */
export const patienceMs = 8_000

/** Processor time, where it is granted, for what is asked about for another reason. */
export const ampleCpuMs = 25_000

/** A function that does what it is told, on the target. */
export type Probe = Place & {
  ask(command: Command, options?: { timeoutMs?: number }): Promise<Reply>
}

/** Probes by the context they were deployed for, and by what was wanted of them. */
const known = new WeakMap<Context, Map<string, Promise<Place>>>()

/** A probe as it is wanted; asked again for the same, it is the same one. */
export async function deployed(context: Context, wanted: Wanted): Promise<Probe> {
  const probes = known.get(context) ?? new Map<string, Promise<Place>>()
  known.set(context, probes)
  const name = JSON.stringify(wanted)
  const made = probes.get(name) ?? context.adapter.probe(wanted)
  probes.set(name, made)
  const place = await made
  const client = listenerOf(context, place).as(place.host)
  return {
    ...place,
    ask: (command, { timeoutMs = 4 * patienceMs } = {}) =>
      client.post(place.path, { json: command, timeoutMs })
  }
}

/** What a place is asked by: the listener of its plan, or that of all. */
function listenerOf({ edge, endpoint }: Context, place: Place): Client {
  return place.endpoint === undefined ? edge : endpoint(place.endpoint)
}

/** Probes on those of some plans that the target has probes on, by plan; at least on one. */
export async function deployedOn(
  context: Context,
  plans: readonly FunctionPlan[],
  wanted: Omit<Wanted, 'plan'> = {}
): Promise<[[FunctionPlan, Probe], ...[FunctionPlan, Probe][]]> {
  const made = await Promise.allSettled(plans.map((plan) => deployed(context, { plan, ...wanted })))
  const found = made.flatMap((one, index): [FunctionPlan, Probe][] =>
    one.status === 'fulfilled' ? [[plans[index]!, one.value]] : []
  )
  const missing = made.find((one) => one.status === 'rejected')
  if (found.length === 0) throw missing?.reason
  return found as [[FunctionPlan, Probe], ...[FunctionPlan, Probe][]]
}

/** A probe on the first of some plans that the target has one on, and on no other. */
export async function deployedOnFirst(
  context: Context,
  [plan, ...others]: readonly FunctionPlan[],
  wanted: Omit<Wanted, 'plan'> = {}
): Promise<Probe> {
  try {
    return await deployed(context, { plan: plan!, ...wanted })
  } catch (cause) {
    if (others.length === 0) throw cause
    return deployedOnFirst(context, others, wanted)
  }
}

/** A probe on whatever plan there is one on, preferably one that allows much. */
export function anyProbe(context: Context, wanted?: Omit<Wanted, 'plan'>): Promise<Probe> {
  return deployedOnFirst(context, [...functionPlans].reverse(), wanted)
}

/** A backend of the harness that functions can call; it ends with the scope it was made in. */
export type CallableServer = AsyncDisposable & {
  /** Counts and answers the requests of one label. */
  channel(label: string): Channel
  /** A TCP server, and its address as a function has to name it. */
  sockets(): Promise<SocketChannel & { address: string }>
}

/** Opens a server where the target's functions can reach it. */
export async function openServer({ adapter }: Context): Promise<CallableServer> {
  const server = await backend()
  try {
    const base = await adapter.reach(server.port)
    return {
      channel: (label) => server.channel(label, base),
      async sockets() {
        const channel = await server.sockets()
        return { ...channel, address: new URL(await adapter.reach(channel.port)).host }
      },
      [Symbol.asyncDispose]: server.close
    }
  } catch (cause) {
    await server.close()
    throw cause
  }
}
