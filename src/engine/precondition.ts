import type { Client } from '../client/client.ts'
import { preflight } from '../client/preflight.ts'
import type { Canaries } from '../scenario/canary.ts'
import type { Context } from '../scenario/context.ts'

/** What has to be true of the endpoints before and after anything is concluded from them. */
export type Precondition = {
  /** Why nothing can be asked of them; undefined when the canary of each one works. */
  missing: () => Promise<string | undefined>
  /**
   * Why what was just seen proves nothing; undefined when all endpoints that were asked, by how
   * many requests, go on working.
   */
  vouch: (asked: ReadonlyMap<string, number>) => Promise<string | undefined>
}

/** Canaries asked before an endpoint is out of order: one lost answer is no outage. */
const tries = 3

/**
 * Canaries asked for each request of an accusation, and at most. Where answers are replaced at
 * random, and some of an attempt are with probability x, its canaries all work with (1 - x)^8: so
 * an accusation is wrong in 4 of 100 attempts at most, and three in a row in 8 of 100,000, however
 * often answers are replaced.
 */
const canariesPerRequest = 8
const most = 100

/** The precondition of a unit, whose endpoints these are. */
export function createPrecondition(options: {
  endpoints: readonly string[]
  canaries: Canaries
  /** A context in which only this endpoint may be used. */
  contextFor: (endpoint: string) => Context
  connect: (endpoint: string) => Client
}): Precondition {
  const { endpoints, canaries, contextFor, connect } = options
  const ask = async (name: string): Promise<string | undefined> => {
    const canary = canaries[name]
    if (canary === undefined) {
      const found = await preflight(connect(name))
      return found.up ? undefined : found.because
    }
    const { works, reply } = await canary.ask(contextFor(name))
    return works ? undefined : reply.because
  }
  const fault = (name: string, because: string) => `the canary of ${name} does not work: ${because}`
  return {
    async missing() {
      for (const name of endpoints) {
        let because: string | undefined = ''
        for (let count = 0; count < tries && because !== undefined; count++)
          because = await ask(name)
        if (because !== undefined) return fault(name, because)
      }
    },
    async vouch(asked) {
      for (const [name, requests] of asked) {
        // Without a canary of its own an endpoint shows no more than that it is there.
        const count = canaries[name] ? Math.min(most, canariesPerRequest * requests) : 1
        for (let number = 0; number < count; number++) {
          const because = await ask(name)
          if (because !== undefined) return fault(name, because)
        }
      }
    }
  }
}
