import type { KeptAnswer } from './answer.ts'
import type { Change } from './proxy.ts'
import type { Witnessed } from './witnessed.ts'

/** One way to make answers untrue, the same however often a question is asked. */
export type Tampering = {
  /** Which answers, and what is changed about them. */
  words: string
  /** The same, where words are too short to tell two tamperings apart. */
  key: string
  change: Change
}

/** What a clause rests on, of all that went by while its scenario looked at an honest target. */
export type Recorded = { clause: string; shown: readonly Witnessed[]; all: readonly Witnessed[] }

/** Says of a request in which group it is: those with the same text are alike. */
export type Likeness = (seen: Witnessed) => string

/** Whether an answer takes what was asked for, by its status. */
export function isTaken({ answer: { status } }: Witnessed): boolean {
  return status >= 200 && status < 400
}

/** The first of each list, then the second of each, and so on. */
export function inTurn<One>(lists: readonly One[][]): One[] {
  const most = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: most }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat()
}

/** The last of those that are alike, the latest first. */
export function latest(all: readonly Witnessed[], likeness: Likeness): Witnessed[] {
  const apart = (seen: Witnessed) => `${likeness(seen)} ${isTaken(seen)}`
  return [...new Map(all.map((seen) => [apart(seen), seen])).values()].reverse()
}

/** What no text has: control characters, but for white space, and what stands for no character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unreadable = /[\x00-\x08\x0e-\x1f\x7f\ufffd]/

/** A request in words; a body that is no text by its length. */
export function said({ asked: { method, path, body, bodyBytes } }: Witnessed): string {
  const short = (text: string, length: number) =>
    text.length > 60 ? `${text.slice(0, 60)}… (${length})` : text
  const shown = unreadable.test(body) ? `(${bodyBytes} bytes)` : short(body, bodyBytes)
  const sent = body === '' ? '' : ` ${shown}`
  return `${method} ${short(path, path.length)}${sent}`
}

/** A change of all answers that are like this one, and were given likewise. */
export function alike(
  seen: Witnessed,
  { likeness, words }: { likeness: Likeness; words: string },
  change: (other: Witnessed) => KeptAnswer | undefined
): Tampering {
  const own = likeness(seen)
  return {
    words,
    key: `${own}\n${words}`,
    change: (other) =>
      likeness(other) === own && isTaken(other) === isTaken(seen) ? change(other) : undefined
  }
}
