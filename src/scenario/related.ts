import { isOk, type Reply } from '../client/reply.ts'
import type { Context } from './context.ts'
import type { Changes } from './request-parts.ts'

/** Numbers that another number of a request may have to be less than, or more, or not without. */
export type Relation = {
  /** Their places. */
  related?: readonly string[]
  /** Up to here the number is one that is taken. */
  upTo?: number
}

/** Statuses by which a number is turned down for what it is. */
const refusals: readonly number[] = [400, 422]

/**
 * The answer to a request with a changed number: where that is turned down, to one in which another
 * number goes with it, where such a one is taken. A smallest price may be no more than the largest.
 */
export async function asRelated(
  ask: (context: Context, changes: Changes) => Promise<Reply>,
  context: Context,
  { changes, related = [] }: { changes: Changes; related: readonly string[] | undefined }
): Promise<Reply> {
  const reply = await ask(context, changes)
  const [value] = Object.values(changes)
  if (!refusals.includes(reply.status) || typeof value !== 'number') return reply
  for (const place of related) {
    for (const other of [value, value + 1, value - 1]) {
      const beside = await ask(context, { ...changes, [place]: other })
      if (isOk(beside)) return beside
    }
  }
  return reply
}
