import { pathToFileURL } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { type Client, createClient } from '../client/client.ts'
import { createExchangeLog } from '../client/exchange-log.ts'
import { messageOf } from '../fault.ts'
import { random } from '../random.ts'
import { createAskingContext } from '../scenario/asking.ts'
import { Blocked, isBlocked } from '../scenario/blocked.ts'
import { canariesOf } from '../scenario/canary.ts'
import { type Context, createContext } from '../scenario/context.ts'
import { endpointPartsOf } from '../scenario/endpoints.ts'
import { load } from '../scenario/find.ts'
import { demanding } from '../scenario/named.ts'
import { targetPartsOf } from '../scenario/target-parts.ts'
import type { Adapter } from '../target/adapter.ts'
import type { Target } from '../target/target.ts'
import { type Confined, confined } from './confine.ts'
import { type Finding, nothing } from './finding.ts'
import { plain } from './plain.ts'
import { createPrecondition, type Standing } from './precondition.ts'
import { beating, type Pulse } from './pulse.ts'
import { asAdapter, asFigures, asRequests, toldPlainly } from './returned.ts'
import { runCheck } from './run-check.ts'
import { runLimit } from './run-limit.ts'
import { createStop } from './stop.ts'
import type { Asked, Busy, Question, Task } from './task.ts'
import { asksByHttp2, type Unit } from './unit.ts'

export { settle } from './leftovers.ts'

/** How whoever gave the work sees that it goes on. */
type Pulsed = { pulse: Pulse }

const clients = new Map<string, Client>()

/** The thread's client for an endpoint; kept between units, since connections are worth keeping. */
function connect(target: Target, name: string): Client {
  const endpoint = target.endpoints[name]!
  const id = JSON.stringify(endpoint)
  const known = clients.get(id) ?? createClient({ endpoint })
  clients.set(id, known)
  return known
}

const standings = new Map<string, Standing>()

/** What this thread knows of an endpoint's canary. */
function standingOf(target: Target, name: string): Standing {
  const { url } = target.endpoints[name]!
  const known = standings.get(url) ?? { isTried: false }
  standings.set(url, known)
  return known
}

async function adapterOf(target: Target): Promise<Adapter> {
  if (target.adapter === undefined) return {}
  const module = await import(pathToFileURL(target.adapter).href)
  if (typeof module.adapter !== 'function') {
    throw new TypeError(
      `${target.adapter} exports no adapter: write \`export const adapter = (target) => ({ … })\``
    )
  }
  return asAdapter(module.adapter(demanding(target)), `${target.adapter}: \`adapter\``)
}

function tellAsked(unit: Unit): (variant: string, asked: Question['asked']) => void {
  const { clause, unit: measure } = unit.limit!
  return (variant, asked) => {
    const question: Question = { scenario: unit.scenario, clause, unit: measure, variant, asked }
    parentPort?.postMessage(plain(question))
  }
}

/** A unit's scenario and what it asks with, a fresh context for every attempt at it. */
async function opened({ unit, target, seed, tier = 'quick', isAlone = false }: Omit<Task, 'stop'>) {
  const found = { id: unit.scenario, file: unit.file }
  const { scenario } = await load(found)
  const canaries = isAlone ? {} : await canariesOf(found)
  const endpointParts = await endpointPartsOf(found)
  const { capabilities } = await targetPartsOf(found)
  const own = asAdapter(capabilities?.(demanding(target)) ?? {}, 'the `capabilities` of _target')
  const adapter = { ...own, ...(await adapterOf(target)) }
  const absent = unit.needs.filter((name) => !(name in target.endpoints) && !(name in adapter))
  if (absent.length > 0) throw new Blocked(`${target.name} offers no ${absent.join(' and no ')}`)
  const isOwn = Object.fromEntries(Object.entries(canaries).map(([name, one]) => [name, one.isOwn]))
  const ledger = createExchangeLog({ expected: scenario.expectedReplies, isOwn })
  const ownSeed = Math.floor(random(seed, `${unit.scenario} ${unit.key}`)() * 2 ** 32)
  const context = (needs: readonly string[], label: string, connect: (name: string) => Client) =>
    createContext({
      ...{ target, needs, adapter, connect, parts: endpointParts, tier, seed: ownSeed },
      key: unit.key,
      random: random(seed, `${unit.scenario} ${unit.key} ${label}`)
    })
  const direct = (name: string) => connect(target, name)
  const fresh = (attempt: string): Context =>
    context(unit.needs, attempt, (name) => ledger.keep(name, direct(name)))
  const canaryContexts = new Map<string, Context>()
  const precondition = createPrecondition({
    endpoints: unit.needs.filter((name) => name in target.endpoints),
    canaries,
    connect: direct,
    isHttp2: asksByHttp2(unit),
    isAboutGarbage: scenario.expectedReplies?.includes('garbage'),
    standingOf: (name) => standingOf(target, name),
    contextFor(name) {
      const made = canaryContexts.get(name) ?? context([name], `canary of ${name}`, direct)
      canaryContexts.set(name, made)
      return made
    }
  })
  return { scenario, fresh, ledger, precondition, endpointParts }
}

/** The same, once what the unit needs is known to work. */
async function begun(task: Omit<Task, 'stop'>) {
  const parts = await opened(task)
  const missing = await parts.precondition.missing()
  if (missing !== undefined) throw new Blocked(missing)
  return parts
}

/** Has a scenario's own code do something, as the one to blame for what it throws. */
function blamed<Value>({ scenario, file }: Unit, work: () => Promise<Value>) {
  return confined({ owner: scenario, file }, work)
}

/** Tells what was found by code that is still busy; whoever gave the work ends the thread. */
function tellBusy(ticket: string, findings: Finding[]): Promise<never> {
  const told: Busy = { kind: 'busy', ticket, findings }
  parentPort?.postMessage(plain(told))
  return new Promise(() => {})
}

async function found({ stop, attemptMs, ticket, ...task }: Task): Promise<Finding[]> {
  const { unit } = task
  const { requested: stopped } = createStop(stop)
  try {
    const { scenario, fresh, ledger, precondition } = await begun(task)
    const parts = { ledger, precondition, stopped }
    if (scenario.kind === 'check') {
      const asked = { scenario: toldPlainly(scenario), fresh, mostMs: attemptMs, ...parts }
      const { findings, isBusy } = await runCheck(asked)
      return isBusy && ticket !== undefined ? await tellBusy(ticket, findings) : findings
    }
    if (scenario.kind !== 'limit') throw new Error(`a ${scenario.kind} is no work for one thread`)
    return await runLimit({
      scenario: toldPlainly(scenario),
      limit: unit.limit!,
      context: fresh(''),
      ...parts,
      onAsked: tellAsked(unit)
    })
  } catch (cause) {
    if (isBlocked(cause)) return nothing(unit, 'blocked', messageOf(cause))
    throw cause
  }
}

/** The work of one unit, done in this thread. */
export function work({ pulse, ...task }: Task & Pulsed): Promise<Confined<Finding[]>> {
  return beating(pulse, () => blamed(task.unit, async () => plain(await found(task))))
}

/** Why nothing can be asked that a unit means to ask; undefined where everything is there. */
export function missing({
  pulse,
  ...task
}: Omit<Task, 'stop'> & Pulsed): Promise<Confined<string | undefined>> {
  const look = async () => {
    try {
      const { scenario, endpointParts } = await begun(task)
      // What it asks for may be nothing that this target names.
      if (scenario.kind === 'load') {
        scenario.request(createAskingContext(task.target, task.unit.needs, endpointParts))
      }
    } catch (cause) {
      if (isBlocked(cause)) return messageOf(cause)
      throw cause
    }
  }
  return beating(pulse, () => blamed(task.unit, look))
}

async function askedFor(task: Omit<Task, 'stop'>): Promise<Asked> {
  const { unit, target } = task
  try {
    const { scenario, endpointParts } = await begun(task)
    if (scenario.kind !== 'capacity' && scenario.kind !== 'soak') {
      throw new Error(`${unit.file} sends nothing by itself`)
    }
    const context = createAskingContext(target, unit.needs, endpointParts)
    return { requests: asRequests(scenario.request(context)) }
  } catch (cause) {
    if (isBlocked(cause)) return { absent: messageOf(cause) }
    throw cause
  }
}

/** What a scenario has its load threads ask. */
export function requests({
  pulse,
  ...task
}: Omit<Task, 'stop'> & Pulsed): Promise<Confined<Asked>> {
  return beating(pulse, () => blamed(task.unit, () => askedFor(task)))
}

/** What the target tells of itself just now, as a soak's scenario asks for it. */
export function figures({
  pulse,
  ...task
}: Omit<Task, 'stop'> & Pulsed): Promise<Confined<Record<string, number>>> {
  const told = async () => {
    const { scenario, fresh } = await opened(task)
    if (scenario.kind !== 'soak' || !scenario.figures) return {}
    return asFigures(await scenario.figures(fresh('')))
  }
  return beating(pulse, () => blamed(task.unit, told))
}
