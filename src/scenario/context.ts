import type { Client } from '../client/client.ts'
import { messageOf } from '../fault.ts'
import type { Random } from '../random.ts'
import type { Adapter } from '../target/adapter.ts'
import { isPartOf, type Tables, type Target, tablesOf } from '../target/target.ts'
import { Blocked } from './blocked.ts'
import { type EndpointParts, type Endpoints, withEndpoints } from './endpoints.ts'
import { demanding } from './named.ts'
import type { Tier } from './tier.ts'

/**
 * What a scenario gets to ask its questions with. Reading an endpoint or a capability that the
 * scenario does not name in `needs` throws `Undeclared`, since nobody checked that it is there.
 */
export type Context = Readonly<Endpoints<Client>> &
  Readonly<Tables> & {
    /** Name of the plan, or whatever else `each` of a limit is keyed by; '' without `each`. */
    key: string
    /** Chance that depends on the run's seed and on the scenario, and on nothing else. */
    random: Random
    /** A whole number that depends on the same, and is no other in the next attempt. */
    seed: number
    /** The tier that is run, which the scenario's own may be shorter than. */
    tier: Tier
    /** The listener called `name` in the target. */
    endpoint: (name: string) => Client
    /** What the target can do beyond its documented API. */
    readonly adapter: Required<Adapter>
  }

/** A scenario used something it had not declared: a fault of the scenario, never of the target. */
export class Undeclared extends Error {
  constructor(name: string) {
    super(`uses "${name}" without declaring it: add it to the scenario's \`needs\``)
  }
}

/** An adapter whose failures say that the setup failed, which is no verdict on the target. */
function guarded(adapter: Adapter, declared: (name: string) => string): Required<Adapter> {
  return new Proxy(adapter as Required<Adapter>, {
    get(offered, property) {
      const name = declared(String(property)) as keyof Adapter
      return async (...values: unknown[]) => {
        try {
          return await (offered[name] as (...values: unknown[]) => Promise<unknown>)(...values)
        } catch (cause) {
          throw new Blocked(`the adapter could not do "${name}": ${messageOf(cause)}`)
        }
      }
    }
  })
}

type Parts = {
  target: Target
  needs: readonly string[]
  key: string
  adapter: Adapter
  random: Random
  seed: number
  tier: Tier
  connect: (name: string) => Client
  /** What the document's endpoints offer beyond sending. */
  parts?: EndpointParts
}

/** The context of one unit of work; clients are made by `connect` when they are first used. */
export function createContext(given: Parts): Context {
  const { needs, key, adapter, random, seed, tier, connect, parts = {} } = given
  const target = demanding(given.target)
  const declared = (name: string) => {
    if (!needs.includes(name) && !isPartOf(name, given.target, needs)) throw new Undeclared(name)
    return name
  }
  const endpoint = (name: string) => connect(declared(name))
  const own = { ...tablesOf(target), key, random, seed, tier, endpoint }
  const whole = { ...own, adapter: guarded(adapter, declared) }
  return withEndpoints(whole, { target, parts, speak: endpoint })
}
