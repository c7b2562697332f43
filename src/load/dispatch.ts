import { add, type Connection, flush } from './connection.ts'
import { createLanes } from './lanes.ts'
import type { Prepared } from './request.ts'
import type { Ending, Sample } from './sample.ts'
import type { TransportOptions } from './transport.ts'
import { createWaiting, type Flight, type Waiting } from './waiting.ts'

/** Brings requests and free places of connections together. */
export type Dispatch = {
  /** The requests for which there is no place yet. */
  waiting: Waiting
  send(prepared: Prepared, due: number, token: number): void
  /** Offers one free place of a connection, or all that it can have. */
  offer(connection: Connection): void
  offerAll(connection: Connection): void
  /** Gives what waits the places that have become free, and sends all that has been given one. */
  flush(): void
  /** Ends requests that wait without a response: those due by then, and at most so many of them. */
  giveUp(ending: Ending, which: { dueBy: number; most: number }): void
}

/** A dispatch for connections with `pipelining` places each; fills `sample` for whom it gives up. */
export function createDispatch(
  options: Pick<TransportOptions, 'connections' | 'pipelining' | 'now' | 'onSample'> & {
    sample: Sample
  }
): Dispatch {
  const lanes = createLanes(options)
  const waiting = createWaiting()
  const dirty: Connection[] = []
  let dirtyCount = 0

  const give = (connection: Connection, prepared: Prepared, due: number, token: number) => {
    add(connection, prepared, due, token)
    if (connection.isDirty) return
    connection.isDirty = true
    dirty[dirtyCount++] = connection
  }
  const seatWaiting = () => {
    while (waiting.size() > 0) {
      const connection = lanes.take()
      if (connection === undefined) return
      const { prepared, due, token } = waiting.take()!
      give(connection, prepared, due, token)
    }
  }
  return {
    waiting,
    send(prepared, due, token) {
      const connection = waiting.size() === 0 ? lanes.take() : undefined
      if (connection === undefined) waiting.add(prepared, due, token)
      else give(connection, prepared, due, token)
    },
    offer: lanes.offer,
    offerAll(connection) {
      for (let places = connection.offered; places < options.pipelining; places++) {
        lanes.offer(connection)
      }
    },
    flush() {
      if (waiting.size() > 0) seatWaiting()
      for (let index = 0; index < dirtyCount; index++) {
        const connection = dirty[index]!
        connection.isDirty = false
        flush(connection)
      }
      dirtyCount = 0
    },
    giveUp(ending, { dueBy, most }) {
      // What this makes a user ask next comes to the end of the line, and is not given up again.
      for (let left = Math.min(most, waiting.size()); left > 0; left--) {
        if (waiting.peek()!.due > dueBy) return
        const flight = waiting.take()!
        options.onSample(unsent(options.sample, { flight, ending, end: options.now() }))
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
  const times = { due, sent: due, first: end, end }
  const nothing = { bytesSent: 0, bytesReceived: 0, headers: undefined, body: undefined }
  return Object.assign(sample, { ending, status: 0, token, route: prepared.route }, times, nothing)
}
