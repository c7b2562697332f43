import type { Deadline } from '../../engine/deadline.ts'
import { duration } from '../../report/quantity.ts'

/** Before so many parts are done, and so long has passed, nobody can say when the rest will be. */
const least = { done: 5, ms: 3_000 }

/** `12.0 s, about 40.0 s to go`: the rest is as quick as what is done, as far as anybody knows. */
export function elapsedText(elapsedMs: number, { done, of }: { done: number; of: number }): string {
  const isKnown = done >= least.done && elapsedMs >= least.ms && done < of
  const leftMs = (elapsedMs / done) * (of - done)
  return `${duration(elapsedMs)}${isKnown ? `, about ${duration(leftMs)} to go` : ''}`
}

/** `12.0 s of at most 2 min 0 s`. */
export function timeText(deadline: Pick<Deadline, 'seconds' | 'leftMs'>): string {
  const givenMs = deadline.seconds * 1_000
  return `${duration(givenMs - deadline.leftMs())} of at most ${duration(givenMs)}`
}
