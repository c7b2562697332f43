import { createClient } from '../client/client.ts'
import { preflight } from '../client/preflight.ts'
import { Faulty, faultText, messageOf } from '../fault.ts'
import type { LoadResult } from '../load/result.ts'
import { summary } from '../load/summary.ts'
import { random, shuffled } from '../random.ts'
import { documentedText, type Inventory } from '../scenario/clause.ts'
import { routesOf, type Target, verifiesTls } from '../target/target.ts'
import { judge } from '../verdict/judge.ts'
import { demandText } from '../verdict/judge-capacity.ts'
import { objectivesText, slowerThan } from '../verdict/judge-load.ts'
import { budgetsText } from '../verdict/judge-soak.ts'
import { inLight } from '../verdict/presupposition.ts'
import type { Evidence, Verdict } from '../verdict/verdict.ts'
import type { Leftover } from './confine.ts'
import { drive, overCap } from './drive.ts'
import { endure, type Measured } from './endure.ts'
import { type Finding, nothing, subjects } from './finding.ts'
import type { Unit } from './plan.ts'
import type { Pool } from './pool.ts'
import { inTurn, precedence } from './precedence.ts'
import { createQueue, type Place } from './queue.ts'
import type { Stop } from './stop.ts'
import { Refused, type Workforce } from './workforce.ts'

/** What a run tells while it goes on. */
export type Progress =
  | { kind: 'started'; unit: Unit }
  | { kind: 'loaded'; unit: Unit; result: LoadResult }
  | { kind: 'measured'; unit: Unit; metrics: Measured[] }
  | { kind: 'judged'; unit: Unit; verdicts: Verdict[] }

type RunOptions = {
  units: readonly Unit[]
  inventory: Inventory
  target: Target
  pool: Pool
  /** Who sends the loads of scenarios; default: the pool. */
  senders?: Workforce
  stop: Stop
  seed: number
  onProgress: (progress: Progress) => void
}

/** Knows which endpoints answer; one that has stopped answering is not asked again in this run. */
function createWatch(target: Target) {
  const down = new Map<string, string>()
  const check = async (name: string) => {
    const endpoint = target.endpoints[name]
    if (!endpoint || down.has(name)) return
    const client = createClient({ endpoint })
    const found = await preflight(client)
    await client.close()
    if (!found.up) down.set(name, `${name} at ${endpoint.url} does not answer: ${found.because}`)
  }
  return {
    check: (names: readonly string[]) => Promise.all(names.map(check)),
    /** Why nothing can be asked of these endpoints, or undefined. */
    reason: (names: readonly string[]) => names.map((name) => down.get(name)).find(Boolean)
  }
}

/** How long what is under way may go on after the stop was requested; then its thread is ended. */
const stopPatienceMs = 10_000

/** What is aborted once a stop was requested and its patience is at an end. */
function impatience(stop: Stop): { signal: AbortSignal } & Disposable {
  const out = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    timer = setTimeout(() => out.abort(), stopPatienceMs)
  }
  stop.signal.addEventListener('abort', wait)
  return {
    signal: out.signal,
    [Symbol.dispose]() {
      stop.signal.removeEventListener('abort', wait)
      clearTimeout(timer)
    }
  }
}

/**
 * Does the units' work on the pool's threads and judges what they bring home. The order in which
 * they start depends on the seed, but for those that come after what they presuppose; units not
 * begun when the stop was requested have no verdict.
 */
export async function run(options: RunOptions): Promise<Verdict[]> {
  const { units, inventory, target, pool, senders = pool, stop, seed, onProgress } = options
  const watch = createWatch(target)
  await watch.check([...new Set(units.flatMap((unit) => unit.needs))])
  const verdicts: Verdict[] = []
  const tell = (unit: Unit, judged: Verdict[]) => {
    verdicts.push(...judged)
    onProgress({ kind: 'judged', unit, verdicts: judged })
  }

  using patience = impatience(stop)
  const findings = async (unit: Unit): Promise<Finding[]> => {
    const reason = watch.reason(unit.needs)
    if (reason) return nothing(unit, 'blocked', reason)
    try {
      if (unit.load) return await underLoad(unit)
      if (unit.capacity ?? unit.soak) return await endured(unit)
      return await pool.work({ unit, target, seed, stop: stop.buffer }, patience.signal)
    } catch (cause) {
      if (patience.signal.aborted) return nothing(unit, 'inconclusive', 'stopped on the way')
      if (cause instanceof Refused) return nothing(unit, 'blocked', cause.message)
      if (cause instanceof Faulty) return nothing(unit, 'error', cause.message, cause.fault)
      return nothing(unit, 'error', `${unit.file}: ${messageOf(cause)}`)
    }
  }
  const underLoad = async (unit: Unit): Promise<Finding[]> => {
    const { signal } = patience
    const found = await loaded(unit, { target, pool, senders, stop, seed, signal })
    if ('absent' in found) return nothing(unit, 'blocked', found.absent)
    onProgress({ kind: 'loaded', unit, result: found.result })
    return subjects(unit).map((clause) => ({ clause, evidence: found.evidence }))
  }
  const endured = async (unit: Unit): Promise<Finding[]> => {
    const found = await endure(unit, { target, pool, stop, seed, signal: patience.signal })
    if ('absent' in found) return nothing(unit, 'blocked', found.absent)
    onProgress({ kind: 'measured', unit, metrics: found.metrics })
    return subjects(unit).map((clause) => ({ clause, evidence: found.evidence }))
  }
  const perform = async (unit: Unit) => {
    if (stop.requested()) return
    onProgress({ kind: 'started', unit })
    const began = performance.now()
    const found = await findings(unit)
    const ms = Math.round(performance.now() - began)
    const own = found.map((finding) => verdictOf(unit, finding, { inventory, ms }))
    if (own.some(({ outcome }) => outcome === 'inconclusive')) await watch.check(unit.needs)
    tell(unit, inLight(own, verdicts.concat(own)))
  }
  await allOf(units, { inventory, workers: pool.workers, seed }, perform)
  if (stop.requested()) return verdicts
  const leftovers = await pool.settle(patience.signal)
  for (const { unit, judged } of leftBehind(units, leftovers, inventory)) tell(unit, judged)
  return verdicts
}

/** Has units performed in an order of the seed's, but after what they presuppose. */
async function allOf(
  units: readonly Unit[],
  given: { inventory: Inventory; workers: number; seed: number },
  perform: (unit: Unit) => Promise<void>
): Promise<void> {
  const { inventory, workers, seed } = given
  const queue = createQueue(workers)
  const order = shuffled(units, random(seed, 'order'))
  await inTurn(order, precedence(units, inventory), (unit, isAwaited) =>
    queue.add(placeOf(unit, isAwaited), () => perform(unit))
  )
}

/** What a load brought home, or why it was not sent. */
type Loaded = { result: LoadResult; evidence: Evidence } | { absent: string }

/** Sends a unit's load, once it may be sent and the endpoints it needs are known to work. */
async function loaded(
  unit: Unit,
  parts: Required<Pick<RunOptions, 'target' | 'pool' | 'senders' | 'stop' | 'seed'>> & {
    signal: AbortSignal
  }
): Promise<Loaded> {
  const { target, pool, senders, stop, seed, signal } = parts
  const { load, engine, objectives } = unit.load!
  const absent = overCap(load, target.caps) ?? (await pool.missing({ unit, target, seed }, signal))
  if (absent !== undefined) return { absent }
  const { needs } = unit
  const { result, broken } = await drive({
    ...{ load, engine, source: { unit, target }, objectives, pool: senders, stop, seed, signal },
    ...{ routes: routesOf(target, needs), verifyTls: verifiesTls(target, needs) }
  })
  const slower = slowerThan(objectives, result)
  const evidence: Evidence = {
    ...{ kind: 'load', objectives, summary: summary(result), broken, slower }
  }
  return { result, evidence }
}

/** What scenarios left behind can go wrong when their own verdicts are long told. */
function leftBehind(units: readonly Unit[], leftovers: readonly Leftover[], inventory: Inventory) {
  return leftovers.flatMap(({ scenario, fault }) => {
    const because = `left something behind after it had ended: ${faultText(fault)}`
    return units
      .filter((unit) => unit.scenario === scenario)
      .map((unit) => {
        const found = nothing(unit, 'error', because, fault)
        return { unit, judged: found.map((one) => verdictOf(unit, one, { inventory, ms: 0 })) }
      })
  })
}

function verdictOf(
  unit: Unit,
  { clause, evidence }: Finding,
  { inventory, ms }: { inventory: Inventory; ms: number }
): Verdict {
  const documented = documentedOf(unit, clause, inventory)
  const { derived, presupposes = [] } = inventory.get(clause) ?? {}
  const claim = {
    ...{ clause, documented, ...(derived && { derived }) },
    ...(presupposes.length > 0 && { presupposes })
  }
  return { scenario: unit.scenario, ...claim, ...judge(evidence, claim), evidence, ms }
}

/** What a unit that claims no clause holds a target to, in words. */
function promiseOf({ load, capacity, soak }: Unit): string {
  if (capacity) return demandText(capacity.demand)
  return soak ? budgetsText(soak.budgets) : objectivesText(load!.objectives)
}

/** What the document says of a clause; of a load that claims none, what its objectives say. */
function documentedOf(unit: Unit, clause: string, inventory: Inventory): string {
  const entry = inventory.get(clause)
  return entry ? documentedText(entry) : promiseOf(unit)
}

/**
 * Units that others wait for go first, and then those that move most bytes, so that none of them is
 * left running alone at the end.
 */
function placeOf({ alone, limit }: Unit, isAwaited: boolean): Place {
  return { alone, priority: isAwaited ? Number.MAX_SAFE_INTEGER : (limit?.readings.at(-1) ?? 0) }
}
