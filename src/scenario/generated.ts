import type { Arbitrary } from 'fast-check'
import { type Clock, clock } from '../clock.ts'
import type { Context } from './context.ts'
import { isTelling, type Look, type Verified } from './summary.ts'

/** What values are made with: fast-check's arbitraries, by the names they have there. */
export type Arbitraries = typeof import('fast-check')

/** How many values a run asks about, by its tier; a `long` one as many as a `full` one. */
export type Budget = { quick: number; full: number }

/** Values that chance makes, and what is asked about each. */
export type Generation<Value> = {
  of: (arbitraries: Arbitraries) => Arbitrary<Value>
  budget: Budget
  /** What was seen with a value; undefined where nothing can be told by it. */
  ask: (value: Value) => Promise<Look | undefined>
}

/** How many questions it may take to make a counterexample shorter. */
const shortening = 60

/** How long it may take, in milliseconds: it is found again in each attempt. */
const shorteningMs = 10_000

/**
 * Asks about values that chance makes, and tells what was seen of them; of a counterexample the
 * shortest that was found. The values depend on the seed of the run and on the scenario, and are
 * the same in each attempt. Undefined where nothing could be told by any of them, or there was
 * nothing to look at with any.
 */
export async function generated<Value>(
  { seed, tier }: Pick<Context, 'seed' | 'tier'>,
  { of, budget, ask }: Generation<Value>,
  { now }: Pick<Clock, 'now'> = clock
): Promise<Verified | undefined> {
  const arbitraries = await import('fast-check')
  const count = budget[tier === 'quick' ? 'quick' : 'full']
  const asked = { held: [] as Look[], odd: undefined as Look | undefined, since: 0, until: 0 }
  const faults: unknown[] = []
  const isRight = async (value: Value) => {
    const isShort = asked.odd && (++asked.since > shortening || now() > asked.until)
    if (faults.length > 0 || isShort) return true
    try {
      const look = await ask(value)
      if (look?.holds === false && !asked.odd) asked.until = now() + shorteningMs
      if (look?.holds === false) asked.odd = look
      else if (look && isTelling(look) && !asked.odd) asked.held.push(look)
      return look?.holds !== false
    } catch (cause) {
      faults.push(cause)
      return true
    }
  }
  const property = arbitraries.asyncProperty(of(arbitraries), isRight)
  const options = { seed: seed | 0, numRuns: count }
  const { numRuns, numShrinks } = await arbitraries.check(property, options)
  if (faults.length > 0) throw faults[0]
  const { odd, held } = asked
  if (odd) {
    const when = `number ${numRuns} of ${count} made by chance, made shorter ${numShrinks} times`
    return [{ holds: false, saw: `${odd.asked}: ${odd.saw} (${when})` }, odd.reply]
  }
  const last = held.at(-1)
  if (last === undefined) return undefined
  const saw = `${held.length} made by chance, the last one ${last.asked}: ${last.saw}`
  return [{ holds: true, saw }, last.reply]
}
