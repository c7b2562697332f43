import type { Ending } from '../figures/sample.ts'

/**
 * What the taker of a body says of it: more is wanted, no more is, so that the response is complete
 * with what has come, or how the request ends, since this is not what was asked for.
 */
export type BodyTaken = 'more' | 'enough' | Extract<Ending, 'malformed' | 'oversized'>

/** Who takes the body of one response as it comes. */
export type BodySink = {
  /**
   * Takes a part of the body, good only until it returns, with the status and the headers (names
   * in lower case and values, in turn) that came before it.
   */
  take(part: Buffer, head: { status: number; headers: readonly string[] }): BodyTaken
  /** Whether it has listened for as long as it was to: asked now and then while nothing comes. */
  isOver(): boolean
  /** Why it took no more, in words; undefined where it took everything. */
  fault?(): string | undefined
}
