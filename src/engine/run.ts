import { createClient } from '../client/client.ts'
import { preflight } from '../client/preflight.ts'
import { Faulty, faultText, messageOf } from '../fault.ts'
import type { LoadResult } from '../load/figures/result.ts'
import type { Window } from '../load/health/live-counters.ts'
import { random, shuffled } from '../random.ts'
import { documentedText, type Inventory } from '../scenario/clause.ts'
import type { Tier } from '../scenario/tier.ts'
import type { Target } from '../target/target.ts'
import { judge } from '../verdict/judge.ts'
import { demandText } from '../verdict/judge-capacity.ts'
import { objectivesText } from '../verdict/judge-load.ts'
import { budgetsText } from '../verdict/judge-soak.ts'
import { inLight } from '../verdict/presupposition.ts'
import type { Verdict } from '../verdict/verdict.ts'
import type { Leftover } from './confine.ts'
import { type Finding, nothing, subjects } from './finding.ts'
import type { LoadFound, LoadingParts, Measured } from './found.ts'
import { type LoadObserver, type LoadWorkers, Refused } from './load-worker.ts'
import type { Pool } from './pool.ts'
import { inTurn, precedence } from './precedence.ts'
import { createQueue, type Place } from './queue.ts'
import { runCapacity } from './run-capacity.ts'
import { runLoad } from './run-load.ts'
import { runSoak } from './run-soak.ts'
import { createSenderThreads, type SenderThreads } from './sender-threads.ts'
import { type Stop, Stopped } from './stop.ts'
import { asksByHttp2, type Unit } from './unit.ts'

/** What a run tells while it goes on. */
export type RunEvent =
  | { kind: 'started'; unit: Unit }
  | { kind: 'window'; unit: Unit; window: Window }
  | { kind: 'loaded'; unit: Unit; result: LoadResult }
  | { kind: 'measured'; unit: Unit; metrics: Measured[] }
  | { kind: 'judged'; unit: Unit; verdicts: Verdict[] }

type RunOptions = {
  units: readonly Unit[]
  inventory: Inventory
  target: Target
  pool: Pool
  /** Who sends the loads of scenarios; default: as many threads as the pool has. */
  senders?: LoadWorkers
  /** Hears of the loads that are sent. */
  observe?: LoadObserver
  stop: Stop
  seed: number
  /** The tier that is run, for scenarios that ask more in a longer one; default: quick. */
  tier?: Tier
  /** What earlier runs came to, whose clauses these units may presuppose. */
  known?: readonly Verdict[]
  onProgress: (progress: RunEvent) => void
}

/** Knows which endpoints answer; one that has stopped answering is not asked again in this run. */
function createWatch(target: Target, needed: readonly string[]) {
  const reasons = new Set<string>()
  const down = new Map<string, { because: string; isHttp2?: true }>()
  const check = async (name: string) => {
    const endpoint = target.endpoints[name]
    if (!endpoint || down.has(name)) return
    const client = createClient({ endpoint })
    const found = await preflight(client)
    await client.close()
    const because = `${name} at ${endpoint.url} does not answer: `
    if (!found.up) down.set(name, { ...found, because: because + found.because })
  }
  const checkAll = (names = needed) => Promise.all(names.map(check))
  return {
    checkAll,
    /** Looks again after a unit of which nothing could be concluded. */
    async after(unit: Unit, own: readonly Verdict[]): Promise<void> {
      if (own.some(({ outcome }) => outcome === 'inconclusive')) await checkAll(unit.needs)
      const { because } = own.find(({ outcome }) => outcome === 'blocked') ?? {}
      if (because === undefined || reasons.has(because)) return
      // Whoever stands still is waited for once, and not at each endpoint anew.
      reasons.add(because)
      await checkAll()
    },
    /** Why a unit can ask nothing of the endpoints it needs, or undefined. */
    reason(unit: Unit): string | undefined {
      const faults = unit.needs.flatMap((name) => down.get(name) ?? [])
      return faults.find(({ isHttp2 }) => !(isHttp2 && asksByHttp2(unit)))?.because
    }
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

/** What brings home what a unit's load shows; undefined where a unit is no load. */
function loading(unit: Unit, parts: LoadingParts): Promise<LoadFound> | undefined {
  const { load, capacity, soak } = unit
  if (load) return runLoad(unit, load, parts)
  if (capacity) return runCapacity(unit, capacity, parts)
  return soak && runSoak(unit, soak, parts)
}

/**
 * Does the units' work on the pool's threads and judges what they bring home. The order in which
 * they start depends on the seed, but for those that come after what they presuppose; units not
 * begun when the stop was requested have no verdict.
 */
export async function run(options: RunOptions): Promise<Verdict[]> {
  const own = createSenderThreads(options.senders ? 0 : options.pool.workers)
  try {
    const senders = { ...(options.senders ?? own), observe: options.observe }
    return await runAll({ ...options, senders }, own)
  } finally {
    await own.close()
  }
}

async function runAll(
  options: RunOptions & { senders: LoadWorkers },
  own: SenderThreads
): Promise<Verdict[]> {
  const { units, inventory, target, pool, senders, stop, seed, tier } = options
  const { known = [], onProgress } = options
  const watch = createWatch(target, [...new Set(units.flatMap((unit) => unit.needs))])
  await watch.checkAll()
  const verdicts: Verdict[] = []
  const tell = (unit: Unit, judged: Verdict[]) => {
    verdicts.push(...judged)
    onProgress({ kind: 'judged', unit, verdicts: judged })
  }

  using patience = impatience(stop)
  const { signal } = patience
  const findings = async (unit: Unit): Promise<Finding[]> => {
    const reason = watch.reason(unit)
    if (reason) return nothing(unit, 'blocked', reason)
    if (unit.fault) return nothing(unit, 'error', faultText(unit.fault), unit.fault)
    try {
      const onWindow = (window: Window) => onProgress({ kind: 'window', unit, window })
      const parts = { target, pool, workers: senders, stop, seed, signal, onWindow }
      const loaded = await loading(unit, parts)
      if (loaded) return shown(unit, loaded)
      return await pool.work({ unit, target, seed, tier, stop: stop.buffer }, signal)
    } catch (cause) {
      if (signal.aborted || cause instanceof Stopped)
        return nothing(unit, 'inconclusive', 'stopped on the way')
      if (cause instanceof Refused) return nothing(unit, 'blocked', cause.message)
      if (cause instanceof Faulty) return nothing(unit, 'error', cause.message, cause.fault)
      return nothing(unit, 'error', `${unit.file}: ${messageOf(cause)}`)
    }
  }
  const shown = (unit: Unit, found: LoadFound): Finding[] => {
    if ('absent' in found) return nothing(unit, 'blocked', found.absent)
    const { evidence, result, metrics } = found
    if (result) onProgress({ kind: 'loaded', unit, result })
    if (metrics) onProgress({ kind: 'measured', unit, metrics })
    return subjects(unit).map((clause) => ({ clause, evidence }))
  }
  const perform = async (unit: Unit) => {
    if (stop.requested()) return
    onProgress({ kind: 'started', unit })
    const began = performance.now()
    const found = await findings(unit)
    const ms = Math.round(performance.now() - began)
    const own = found.map((finding) => verdictOf(unit, finding, { inventory, ms }))
    await watch.after(unit, own)
    tell(unit, inLight(own, [...known, ...verdicts, ...own]))
  }
  await allOf(units, { inventory, workers: pool.workers, seed }, perform)
  if (stop.requested()) return verdicts
  const left = [...(await pool.settle(signal)), ...(await own.settle(signal))]
  for (const { unit, judged } of leftBehind(units, left, inventory)) tell(unit, judged)
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

/** What scenarios left behind can go wrong when their own verdicts are long told. */
function leftBehind(units: readonly Unit[], left: readonly Leftover[], inventory: Inventory) {
  return left.flatMap(({ scenario, fault }) => {
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
function promiseOf({ load, capacity, soak, fault }: Unit): string {
  if (fault) return 'nothing that is known'
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
