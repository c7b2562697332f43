import type { BodySink, BodyTaken } from '../requests/body-sink.ts'
import type { Framing } from './line.ts'

/** What becomes of a response's body; a part of the parser's state. */
export type KeptBody = {
  /** The body, and how many bytes of it, if kept. */
  body: Buffer[]
  kept: number
  /** Who takes the body in place of that, and what was said of it last. */
  sink: BodySink | undefined
  taken: BodyTaken
}

/** Bytes of a response body that are kept at most when bodies are kept at all. */
export const maxKeptBytes = 4 * 1_024 * 1_024

/** Keeps a part of a body, or hands it on; false when it is refused. */
export function keepBody(
  into: Framing & KeptBody,
  bytes: Buffer,
  from: number,
  to: number
): boolean {
  const { keeps, sink } = into
  if (sink !== undefined) return pour(into, sink, bytes.subarray(from, to))
  if (keeps && into.kept < maxKeptBytes) {
    // The bytes lie in a buffer that every connection reads into, hence the copy.
    into.body.push(Buffer.from(bytes.subarray(from, to)))
    into.kept += to - from
  }
  return true
}

/** Hands on a part of the body, until somebody has enough of it, or cannot take it. */
function pour(into: Framing & KeptBody, sink: BodySink, part: Buffer): boolean {
  if (into.taken === 'more') into.taken = sink.take(part, into)
  return into.taken === 'more' || into.taken === 'enough'
}
