import { isOk, type Reply } from 'plimsoll'
import { isItem, quoted } from '../_reply.ts'

/** What a probe is told to do; see `_probe/README.md`. */
export type Command = { do: string; [option: string]: unknown }

/** What came of a command: a value or an exception, and the how-manieth it was to be done. */
export type Outcome = { ok?: any; error?: string; name?: string; at: number }

/** What came of a repeated command. */
export type Tally = { succeeded: number; failed: number; firstFailed: number; errors: string[] }

/** One after another. */
export function series(...all: Command[]): Command {
  return { do: 'series', all }
}

/** All at once, begun in this order. */
export function together(...all: Command[]): Command {
  return { do: 'together', all }
}

/** The same so many times, or several in turn, one after another. */
export function repeat(times: number, of: Command | readonly Command[]): Command {
  return { do: 'repeat', times, of }
}

/** A request to a URL; by default its answer is read. */
export function fetching(url: string, how: Record<string, unknown> = {}): Command {
  return { do: 'fetch', url, ...how }
}

/** Lets time go by. */
export function waiting(ms: number): Command {
  return { do: 'wait', ms }
}

/** What came of the command a probe was sent; undefined when the probe itself did not answer. */
export function outcomeOf(reply: Reply): Outcome | undefined {
  return isOk(reply) && isItem(reply.json) && 'at' in reply.json
    ? (reply.json as Outcome)
    : undefined
}

/** What came of each command of a series or of several together; empty without an answer. */
export function outcomesOf(reply: Reply): Outcome[] {
  const all: unknown = outcomeOf(reply)?.ok
  return Array.isArray(all) ? all : []
}

/** What came of a repeated command; undefined when the probe itself did not answer. */
export function tallyOf(reply: Reply): Tally | undefined {
  return outcomeOf(reply)?.ok
}

/** Outcomes in words: what they are about, and whether it worked. */
export function inWords(outcomes: readonly Outcome[]): string {
  return outcomes.map(({ ok, error }) => error ?? quoted(ok)).join('; ')
}
