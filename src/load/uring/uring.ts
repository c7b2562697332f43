import { createWire } from '../http1/wire.ts'
import type { MakeTransport, Transport, TransportOptions } from '../transports/transport.ts'
import { closeLoop, openLoop, type RingLoop } from './loop.ts'
import { dialRing, unsentOf } from './streams.ts'
import { loadSystem, type System, Unavailable } from './system.ts'

/** The ring of this thread, which its transports share, and how many of them there are. */
let shared: { loop: RingLoop; users: number } | undefined

function join(system: System): RingLoop {
  shared ??= { loop: openLoop(system), users: 0 }
  shared.users++
  return shared.loop
}

function leave(): void {
  if (shared === undefined || --shared.users > 0) return
  closeLoop(shared.loop)
  shared = undefined
}

/**
 * Makes transports that speak HTTP/1.1 as `wire` does, and move their bytes by io_uring. Where that
 * cannot be, and over TLS, they are those of `wire`, and say why.
 */
export const loadUring = (): Promise<MakeTransport> =>
  loadEither((options, why) => wireAs(options, `wire, not uring: ${why}`))

/** The same, where those of `wire` are as good as asked for. */
export const loadHttp1 = (): Promise<MakeTransport> =>
  loadEither((options) => wireAs(options, 'wire'))

type Instead = (options: TransportOptions, why: string) => Transport

async function loadEither(other: Instead): Promise<MakeTransport> {
  try {
    const system = await loadSystem()
    return (options) => createUring(options, system, other)
  } catch (error) {
    return (options) => other(options, whyNot(error))
  }
}

function createUring(options: TransportOptions, system: System, other: Instead): Transport {
  if (new URL(options.origin).protocol === 'https:') return other(options, 'it speaks no TLS')
  try {
    return overRing(options, join(system))
  } catch (error) {
    return other(options, whyNot(error))
  }
}

/** The words of what says why there is no ring; anything else is a fault of ours. */
function whyNot(error: unknown): string {
  if (error instanceof Unavailable) return error.message
  throw error
}

function wireAs(options: TransportOptions, transport: string): Transport {
  const wire = createWire(options)
  return { ...wire, connections: () => ({ ...wire.connections(), transport }) }
}

function overRing(options: TransportOptions, loop: RingLoop): Transport {
  const wire = createWire(
    { ...options, now: momentOf(loop, options) },
    {
      buffer: loop.ring.arrivals,
      flushesLater: true,
      unsent: unsentOf,
      dial: (address, ears) => dialRing(loop, address, ears)
    }
  )
  loop.workedOff.add(wire.flush)
  return {
    ...wire,
    connections: () => ({ ...wire.connections(), transport: 'uring' }),
    close() {
      loop.workedOff.delete(wire.flush)
      wire.close()
      leave()
    }
  }
}

/** The time; what has arrived together has arrived at the same moment. */
function momentOf(loop: RingLoop, { now }: TransportOptions): () => number {
  let moment = -1
  let time = 0
  return () => {
    if (!loop.isTurning) return now()
    if (moment !== loop.moment) {
      moment = loop.moment
      time = now()
    }
    return time
  }
}
