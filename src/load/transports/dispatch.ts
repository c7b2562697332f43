import type { Ending, Sample } from '../figures/sample.ts'
import type { Prepared } from '../requests/request.ts'
import { createCapGuard } from './cap-guard.ts'
import { type Carrier, createFreeSlots } from './free-slots.ts'
import { createRequestQueue, type Flight, type RequestQueue } from './request-queue.ts'
import type { TransportOptions } from './transport.ts'

/** Brings requests and free places of carriers together. */
export type Dispatch<Kind extends Carrier> = {
  /** The requests for which there is no place yet. */
  waiting: RequestQueue
  send(prepared: Prepared, due: number, token: number): void
  /** Offers one free place of a carrier, or all that it can have. */
  offer(carrier: Kind): void
  offerAll(carrier: Kind): void
  /**
   * Gives what waits the places that have become free, and sends all that has been given one;
   * `sent` is the moment this counts as.
   */
  flush(sent: number): void
  /**
   * Ends requests that wait without a response: those due by then, and at most so many of them; as
   * withheld where it is the caps that they wait for.
   */
  giveUp(ending: Ending, which: { dueBy: number; most: number }): void
  close(): void
}

type Options<Kind extends Carrier> = Pick<
  TransportOptions,
  'connections' | 'pipelining' | 'now' | 'onSample' | 'route' | 'clock'
> & {
  /** Filled for requests that are given up. */
  sample: Sample
  /** Puts a request on a carrier, and sends what was put there. */
  add(carrier: Kind, prepared: Prepared, due: number, token: number): void
  flush(carrier: Kind, sent: number): void
}

/** A dispatch for so many carriers with `pipelining` places each, none of which is on offer yet. */
export function createDispatch<Kind extends Carrier>(options: Options<Kind>): Dispatch<Kind> {
  const lanes = createFreeSlots<Kind>(options)
  const waiting = createRequestQueue()
  const dirty: Kind[] = []
  let dirtyCount = 0
  const guard = createCapGuard(options, () => flush(options.now()))
  /** A place for a request that may leave. */
  const seat = () => {
    const carrier = lanes.take()
    if (carrier === undefined) return guard.isFree()
    if (guard.mayLeave()) return carrier
    lanes.offer(carrier)
  }

  const give = (carrier: Kind, prepared: Prepared, due: number, token: number) => {
    options.add(carrier, prepared, due, token)
    if (carrier.isDirty) return
    carrier.isDirty = true
    dirty[dirtyCount++] = carrier
  }
  const seatWaiting = () => {
    while (waiting.size() > 0) {
      const carrier = seat()
      if (carrier === undefined) return
      const { prepared, due, token } = waiting.take()!
      give(carrier, prepared, due, token)
    }
  }
  const flush = (sent: number) => {
    if (waiting.size() > 0) seatWaiting()
    for (let index = 0; index < dirtyCount; index++) {
      const carrier = dirty[index]!
      carrier.isDirty = false
      options.flush(carrier, sent)
    }
    dirtyCount = 0
  }
  return {
    waiting,
    send(prepared, due, token) {
      const carrier = waiting.size() === 0 ? seat() : undefined
      if (carrier === undefined) waiting.add(prepared, due, token)
      else give(carrier, prepared, due, token)
    },
    offer: lanes.offer,
    offerAll: lanes.offerAll,
    flush,
    close: guard.close,
    giveUp(ending, { dueBy, most }) {
      // What this makes a user ask next comes to the end of the line, and is not given up again.
      for (let left = Math.min(most, waiting.size()); left > 0; left--) {
        if (waiting.peek()!.due > dueBy) return
        const flight = waiting.take()!
        const why = guard.isHeld() ? 'withheld' : ending
        options.onSample(unsent(options.sample, { flight, ending: why, end: options.now() }))
      }
    }
  }
}

/** The sample of a request that never got as far as a connection. */
function unsent(
  sample: Sample,
  { flight, ending, end }: { flight: Flight; ending: Ending; end: number }
): Sample {
  const { prepared, due, token } = flight
  const times = { due, sent: Number.NaN, first: end, end }
  const nothing = { bytesSent: 0, bytesReceived: 0, headers: undefined, body: undefined }
  return Object.assign(sample, { ending, status: 0, token, route: prepared.route }, times, nothing)
}
