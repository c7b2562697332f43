/** A ring at work in a thread, by what others in that thread need of it. */
export type ThreadRing = {
  /** Calls in so many milliseconds, or a few microseconds later; one call at a time. */
  wake(inMs: number, call: () => void): boolean
  /** Says that somebody else waits for the loop to turn: nothing else is waited for meanwhile. */
  yield(): void
}

let own: ThreadRing | undefined

/** The ring that is at work in this thread. */
export function threadRing(): ThreadRing | undefined {
  return own
}

/** Says which ring is at work in this thread. */
export function setThreadRing(ring: ThreadRing | undefined): void {
  own = ring
}
