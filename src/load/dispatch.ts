import { add, type Connection, flush } from './connection.ts'
import { createLanes } from './lanes.ts'
import type { Prepared } from './request.ts'
import { createWaiting, type Waiting } from './waiting.ts'

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
}

/** A dispatch for connections with `pipelining` places each. */
export function createDispatch(options: { connections: number; pipelining: number }): Dispatch {
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
    }
  }
}
