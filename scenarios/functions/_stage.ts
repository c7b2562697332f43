import { backend, type Context, type Lane, type Reply, type SocketLane } from 'plimsoll'
import type { Command } from './_command.ts'
import type { Place, Wanted } from './_probing.ts'

/** How long something is given to happen that must not happen. */
export const graceMs = 300

/** How long something is waited for that must happen; longer than a busy machine takes. */
export const patienceMs = 15_000

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
  const client = context.edge.as(place.host)
  return {
    ...place,
    ask: (command, { timeoutMs = 2 * patienceMs } = {}) =>
      client.post(place.path, { json: command, timeoutMs })
  }
}

/** A backend of the harness that functions can call; it ends with the scope it was made in. */
export type Yard = AsyncDisposable & {
  /** Counts and answers the requests of one label. */
  lane(label: string): Lane
  /** A TCP server, and its address as a function has to name it. */
  sockets(): Promise<SocketLane & { address: string }>
}

/** Opens a yard where the target's functions can reach it. */
export async function openYard({ adapter }: Context): Promise<Yard> {
  const server = await backend()
  try {
    const base = await adapter.reach(server.port)
    return {
      lane: (label) => server.lane(label, base),
      async sockets() {
        const lane = await server.sockets()
        return { ...lane, address: new URL(await adapter.reach(lane.port)).host }
      },
      [Symbol.asyncDispose]: server.close
    }
  } catch (cause) {
    await server.close()
    throw cause
  }
}
