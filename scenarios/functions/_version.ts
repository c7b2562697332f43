import { type Context, isAnswered, type Reply } from 'plimsoll'
import type { Deployment, FunctionPlan } from './_capabilities.ts'
import { type Command, outcomeOf } from './_command.ts'
import { probeSource } from './_probing.ts'
import { patienceMs } from './_stage.ts'

/** What the target said to a version, and what the function then said that is in force. */
export type Trial = { refused?: string; reply: Reply }

/**
 * Whether a version is in force: it tells what it was given. One that was refused is not, nor is
 * one that the target fails to start; undefined where neither can be told from what came back.
 */
export function isInForce({ refused, reply }: Trial, given: string): boolean | undefined {
  if (refused !== undefined) return false
  const outcome = outcomeOf(reply)
  if (outcome !== undefined) return outcome.ok === given
  return isAnswered(reply) && reply.status >= 500 ? false : undefined
}

type Change = Partial<Omit<Deployment, 'account' | 'name'>>

/** A function that is replaced by one version of itself after another. */
export type Versions = {
  account: string
  id: string
  host: string
  ask(command: Command): Promise<Reply>
  attempt(change: Change, command: Command): Promise<Trial>
}

const known = new WeakMap<Context, Map<string, Promise<Versions>>>()

async function first({ adapter, edge }: Context, plan: FunctionPlan): Promise<Versions> {
  const account = await adapter.account(plan)
  const shared = { account: account.id, name: 'probe', source: probeSource() }
  const deployed = await adapter.deploy(shared)
  if (!deployed.accepted) throw new Error(`not even the bare probe is taken: ${deployed.because}`)
  const { id, host } = deployed
  const client = edge.as(host)
  const ask = (command: Command) => client.post('/', { json: command, timeoutMs: 4 * patienceMs })
  return {
    ...{ account: account.id, id, host, ask },
    async attempt(change, command) {
      const said = await adapter.deploy({ ...shared, ...change })
      return { refused: said.accepted ? undefined : said.because, reply: await ask(command) }
    }
  }
}

/** The function of a fresh account, of which a context has one for each plan. */
export async function versions(context: Context, plan: FunctionPlan): Promise<Versions> {
  const made = known.get(context) ?? new Map<string, Promise<Versions>>()
  known.set(context, made)
  const one = made.get(plan) ?? first(context, plan)
  made.set(plan, one)
  return one
}
