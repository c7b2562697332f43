import type { Prepared } from '../requests/request.ts'

/** A request on its way: when it was due, when it was sent, and what its sender knows it by. */
export type Flight = { prepared: Prepared; due: number; sent: number; token: number }

/** Requests that wait for a lane, first come first served; it grows, but only to new heights. */
export type RequestQueue = {
  size(): number
  /** Puts one at the end; `first` of them next to be taken again, when it could not leave. */
  add(prepared: Prepared, due: number, token: number): void
  putBack(prepared: Prepared, due: number, token: number): void
  /** The first one, undefined without any; good until the next call. */
  peek(): Flight | undefined
  take(): Flight | undefined
}

/** An empty line of waiting requests. */
export function createRequestQueue(): RequestQueue {
  let places: Flight[] = []
  let head = 0
  let size = 0
  const place = (index: number) => places[(head + index) % places.length]!
  const grow = () => {
    const more = Math.max(16, places.length)
    const ordered = Array.from({ length: size }, (_, index) => place(index))
    places = [...ordered, ...Array.from({ length: more }, emptyFlight)]
    head = 0
  }
  const fill = (index: number, prepared: Prepared, due: number, token: number) => {
    const flight = place(index)
    flight.prepared = prepared
    flight.due = due
    flight.token = token
  }
  const peek = () => (size === 0 ? undefined : place(0))
  return {
    size: () => size,
    add(prepared, due, token) {
      if (size === places.length) grow()
      fill(size++, prepared, due, token)
    },
    putBack(prepared, due, token) {
      if (size === places.length) grow()
      head = (head + places.length - 1) % places.length
      size++
      fill(0, prepared, due, token)
    },
    peek,
    take() {
      const first = peek()
      if (first === undefined) return undefined
      head = (head + 1) % places.length
      size--
      return first
    }
  }
}

/** A flight with nobody aboard, to be filled. */
export function emptyFlight(): Flight {
  return { prepared: undefined as unknown as Prepared, due: 0, sent: 0, token: 0 }
}
