import { pathToFileURL } from 'node:url'
import { parentPort } from 'node:worker_threads'
import type { Adapter, AdapterFactory } from '../client/adapter.ts'
import { type Client, createClient } from '../client/client.ts'
import { withDisposable } from '../client/disposable.ts'
import type { Target } from '../client/target.ts'
import type { Asked as AskedValue } from '../limit/boundary.ts'
import type { Request } from '../load/request.ts'
import { runShare, type ShareOptions, type ShareResult } from '../load/run.ts'
import { random } from '../random.ts'
import { createAskingContext } from '../scenario/asking.ts'
import { Blocked, type Context, createContext } from '../scenario/context.ts'
import { load } from '../scenario/find.ts'
import type { Evidence } from '../verdict/verdict.ts'
import { attend } from './attend.ts'
import type { ShareTask, Source } from './drive.ts'
import { measure } from './measure.ts'
import type { Unit } from './plan.ts'
import { createStop } from './stop.ts'

/** What a thread is handed, as plain data. */
export type Task = { unit: Unit; target: Target; seed: number; stop: SharedArrayBuffer }

/** What a thread found out about one clause. */
export type Finding = { clause: string; evidence: Evidence }

/** One question put to the target, told to the main thread as soon as it is answered. */
export type Question = { scenario: string; clause: string; unit: string; variant: string } & {
  asked: AskedValue & { status: number; phase: string }
}

const clients = new Map<string, Client>()

/** The thread's client for an endpoint; kept between units, since connections are worth keeping. */
function connect(target: Target, name: string): Client {
  const endpoint = target.endpoints[name]!
  const id = JSON.stringify([endpoint, target.caps])
  const known = clients.get(id) ?? createClient({ endpoint, caps: target.caps })
  clients.set(id, known)
  return known
}

async function adapterOf(target: Target): Promise<Adapter> {
  if (target.adapter === undefined) return {}
  const module = await import(pathToFileURL(target.adapter).href)
  return (module.adapter as AdapterFactory)(target)
}

/** Says of every clause of a unit that nothing was found out, and why. */
export function nothing(
  unit: Unit,
  outcome: 'blocked' | 'error' | 'inconclusive',
  because: string
): Finding[] {
  return subjects(unit).map((clause) => ({ clause, evidence: { kind: 'none', outcome, because } }))
}

/** What a unit's verdicts are about: its clauses, or itself where it is a load that claims none. */
export function subjects({ clauses, scenario }: Unit): string[] {
  return clauses.length > 0 ? clauses : [scenario]
}

function tellAsked(unit: Unit): (variant: string, asked: Question['asked']) => void {
  const { clause, unit: measure } = unit.limit!
  return (variant, asked) => {
    const question: Question = { scenario: unit.scenario, clause, unit: measure, variant, asked }
    parentPort?.postMessage(question)
  }
}

/** A unit's scenario and what it asks with, a fresh context for every attempt at it. */
async function opened({ unit, target, seed }: Omit<Task, 'stop'>) {
  const { scenario } = await load({ id: unit.scenario, file: unit.file })
  const adapter = withDisposable(await adapterOf(target), target)
  const absent = unit.needs.filter((name) => !(name in target.endpoints) && !(name in adapter))
  if (absent.length > 0) throw new Blocked(`${target.name} offers no ${absent.join(' and no ')}`)
  const fresh = (attempt: string): Context =>
    createContext({
      target,
      needs: unit.needs,
      key: unit.key,
      adapter,
      random: random(seed, `${unit.scenario} ${unit.key} ${attempt}`),
      connect: (name) => connect(target, name)
    })
  return { scenario, fresh }
}

/** The work of one unit, done in this thread. */
export async function work({ stop, ...task }: Task): Promise<Finding[]> {
  const { unit } = task
  const { requested: stopped } = createStop(stop)
  try {
    const { scenario, fresh } = await opened(task)
    if (scenario.kind === 'check') return await attend({ scenario, fresh, stopped })
    if (scenario.kind !== 'limit') throw new Error(`a ${scenario.kind} is no work for one thread`)
    return await measure({
      scenario,
      limit: unit.limit!,
      context: fresh(''),
      stopped,
      onAsked: tellAsked(unit)
    })
  } catch (cause) {
    if (cause instanceof Blocked) return nothing(unit, 'blocked', cause.message)
    throw cause
  }
}

/** What a scenario's load is made of, or why there can be none. */
export type Asked = { requests: Request[] } | { absent: string }

/** What a scenario has its load threads ask. */
export async function requests(task: Omit<Task, 'stop'>): Promise<Asked> {
  const { unit, target } = task
  try {
    const { scenario } = await opened(task)
    if (scenario.kind !== 'capacity' && scenario.kind !== 'soak') {
      throw new Error(`${unit.file} sends nothing by itself`)
    }
    return { requests: [scenario.request(createAskingContext(target, unit.needs))].flat() }
  } catch (cause) {
    if (cause instanceof Blocked) return { absent: cause.message }
    throw cause
  }
}

/** What the target tells of itself just now, as a soak's scenario asks for it. */
export async function figures(task: Omit<Task, 'stop'>): Promise<Record<string, number>> {
  const { scenario, fresh } = await opened(task)
  return scenario.kind === 'soak' && scenario.figures ? scenario.figures(fresh('')) : {}
}

/** What a share asks, and what it holds the responses against. */
type Asking = Pick<ShareOptions, 'request' | 'checks'>

async function askedBy(source: Source): Promise<Asking> {
  if ('requests' in source) return { request: source.requests }
  const { unit, target } = source
  const { scenario } = await load({ id: unit.scenario, file: unit.file })
  if (scenario.kind !== 'load') throw new Error(`${unit.file} is no load`)
  const request = scenario.request(createAskingContext(target, unit.needs))
  return { request, checks: scenario.checks }
}

/** One worker's part of a load, carried out in this thread. */
export async function share(task: ShareTask): Promise<ShareResult> {
  const { source, stop, ...given } = task
  const { requested: stopped } = createStop(stop)
  return runShare({ ...given, ...(await askedBy(source)), stopped })
}

/** Waits until as many threads have come here as there are, so that none was asked twice. */
export async function ready(call: { arrived: SharedArrayBuffer; workers: number }): Promise<void> {
  const arrived = new Int32Array(call.arrived)
  Atomics.add(arrived, 0, 1)
  while (Atomics.load(arrived, 0) < call.workers) await new Promise(setImmediate)
}
