import type { Reply } from '../client/reply.ts'
import type { Context } from './context.ts'
import type { Found } from './found.ts'
import { blame, ownModule } from './own-module.ts'

/** What tells an endpoint that works from whatever else may answer in its place. */
export type Canary = {
  /**
   * Asks what any working target grants, in a way that only the endpoint itself can answer, such as
   * with a number that has to come back; says whether it works, and on which reply that rests. A
   * `sign` is what the reply shows of who answers, and has to be the same every time.
   */
  ask: (context: Context) => Promise<{ works: boolean; reply: Reply; sign?: string }>
  /** Whether an answer can be the endpoint's own, by its form; what cannot is no evidence. */
  isOwn?: (reply: Reply) => boolean
}

/** The canaries of a document by endpoint, as its `_canaries.ts` exports them: `canaries`. */
export type Canaries = Readonly<Record<string, Canary>>

/** The canaries of the document that a scenario belongs to; none where it has no such module. */
export async function canariesOf(found: Found): Promise<Canaries> {
  const own = await ownModule(found, '_canaries')
  if (own === undefined) return {}
  const { canaries } = own.exported
  for (const [name, canary] of Object.entries((canaries ?? {}) as Canaries)) {
    if (typeof canary?.ask === 'function') continue
    blame(own, `the canary of "${name}" has no \`ask\`: write a function there`)
  }
  if (canaries === undefined) {
    blame(own, 'exports no canaries: write `export const canaries = { … }`')
  }
  return canaries
}
