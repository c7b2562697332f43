/** Why an expression was refused, and where: what `message` prints, as a value. */
export type Failure = {
  /** The line it is on, from 1. */
  line: number
  /** The character of that line where it begins, from 1. */
  column: number
  /** How many characters of the line it covers; 0 when something is missing there. */
  length: number
  /** The line as it was written. */
  text: string
  reason: string
}

/** Thrown while a source is read, and caught where reading began; offsets are into the source. */
export class Refusal extends Error {
  readonly start: number
  readonly end: number

  constructor(reason: string, span: { start: number; end: number }) {
    super(reason)
    this.start = span.start
    this.end = span.end
  }
}

/** Places a refusal in its source. A span over several lines is cut at the end of its first one. */
export function failureOf(refusal: Refusal, source: string): Failure {
  const before = source.slice(0, refusal.start)
  const lineStart = before.lastIndexOf('\n') + 1
  const newline = source.indexOf('\n', refusal.start)
  const lineEnd = newline < 0 ? source.length : newline
  return {
    line: before.split('\n').length,
    column: characters(before.slice(lineStart)) + 1,
    length: characters(source.slice(refusal.start, Math.min(refusal.end, lineEnd))),
    text: source.slice(lineStart, lineEnd),
    reason: refusal.message
  }
}

/** A failure the way authors of rules know it: the place, the line, carets under it, the reason. */
export function message({ line, column, length, text, reason }: Failure): string {
  const carets = ' '.repeat(column - 1) + '^'.repeat(Math.max(1, length))
  return `Filter parsing error (${line}:${column}):\n${text}\n${carets} ${reason}\n`
}

/** How many characters a text has, one for each code point. */
export function characters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
