import type { Document } from '../../../src/cli/document.ts'
import { adapterIn } from '../../../src/cli/targets/embedded.ts'
import type { Pool } from '../../../src/engine/pool.ts'
import { withPresupposed } from '../../../src/engine/precedence.ts'
import { type RunEvent, run } from '../../../src/engine/run.ts'
import { createStop, type Stop } from '../../../src/engine/stop.ts'
import type { Unit } from '../../../src/engine/unit.ts'
import type { Verdict } from '../../../src/verdict/verdict.ts'
import { isAbout, isExact } from './about.ts'
import { unitsFor } from './chosen-units.ts'
import { reasonFor } from './equivalent.ts'
import { type Honest, nameOf } from './honest-run.ts'
import { isFalse, isUndone, type Result, resultOf, type Tried } from './outcome.ts'
import type { Mutation } from './sites.ts'
import type { Slot, Started } from './slot.ts'

/** What a fault is tried with. */
export type Stage = {
  document: Document
  /** The units that can fail at all. */
  units: readonly Unit[]
  honest: Honest
  root: string
  pool: Pool
  slot: Slot
  stop: Stop
  /** Most processor time of scenarios, as the honest platform takes it, that one fault may cost. */
  budgetMs: number
  /** Asks about what is declared to be equivalent, too. */
  isDoubting: boolean
}

/** Time of scenarios that are asked together. */
const batchMs = 3_000

/** What becomes of faults that nobody sees, of which one who came to nothing is asked again. */
const unseen: Result[] = ['survived', 'stopped']

/**
 * A platform with a fault may be so many times slower, and so much longer, before it is left: who
 * never answers is asked three times, 10 s each, in each of three attempts.
 */
const patience = { times: 4, ms: 150_000 }

/** Once others have seen a fault, who is about what has it is waited for so much longer. */
const exactMs = 30_000

/** Puts a fault into a platform and asks the scenarios that can see it, until one fails. */
export async function tryOut(mutation: Mutation, stage: Stage): Promise<Tried> {
  const began = performance.now()
  const { id, file, line, operator, before, after } = mutation
  const told = (rest: Pick<Tried, 'result'> & Partial<Tried>): Tried => ({
    ...{ id, file, line, operator, before, after, asked: 0, of: 0 },
    ...rest,
    ms: Math.round(performance.now() - began)
  })
  const because = stage.isDoubting ? undefined : reasonFor(mutation)
  if (because !== undefined) return told({ result: 'equivalent', because })
  const { units, isCovered } = unitsFor(mutation, stage)
  if (!isCovered) return told({ result: 'uncovered' })
  const platform = await stage.slot.start(mutation)
  if (!platform) return told({ result: 'invalid' })
  try {
    const found = await judge(units, { file, platform, stage })
    return told({ ...found, of: units.length, processorMs: platform.processorMs() })
  } finally {
    // Who is under way yet, when one has failed, hears nothing any more, and soon gives up.
    await platform.stop()
  }
}

/**
 * What becomes of a fault by some units. Of what nobody sees, one that came to nothing is asked
 * once more: whether a run with the fault would have been green.
 */
async function judge(
  units: readonly Unit[],
  { file, platform, stage }: { file: string; platform: Started; stage: Stage }
): Promise<Pick<Tried, 'result' | 'asked'> & Partial<Tried>> {
  const fails = new Set(Object.values(stage.honest.units).flatMap((one) => one.fails))
  const needs = new Map(stage.units.map(({ scenario, needs }) => [scenario, needs]))
  const cameTo = (verdicts: readonly Verdict[], because: string | undefined) => {
    const isGone = because !== undefined
    const { units } = stage
    return { ...resultOf(verdicts, { file, units, fails, needs, isGone }), because }
  }
  const isKill = (verdict: Verdict) => isFalse(verdict) && !fails.has(verdict.clause)
  const asking = { file, isKill, platform, stage }
  const { asked, verdicts, note } = await ask(affordable(units, stage), asking)
  const result = cameTo(verdicts, note)
  const open = unseen.includes(result.result) ? openIn(verdicts, stage) : undefined
  if (!open || stage.stop.requested()) return { ...result, asked }
  const again = await ask([open], asking)
  const last = cameTo([...verdicts, ...again.verdicts], again.note)
  const isOpenStill = again.verdicts.some((verdict) => isOpen(verdict, open, stage))
  return { ...last, asked, isNoticed: unseen.includes(last.result) && isOpenStill }
}

/** Whether a clause of a unit came to nothing that comes to something without the fault. */
function isOpen(verdict: Verdict, unit: Unit, { honest }: Stage): boolean {
  const { scenario, clause } = verdict
  const isIts = scenario === unit.scenario && unit.clauses.includes(clause)
  return isIts && isUndone(verdict) && !honest.units[nameOf(unit)]!.open.includes(clause)
}

/** The unit that takes the shortest of those of which a clause is open. */
function openIn(verdicts: readonly Verdict[], stage: Stage): Unit | undefined {
  const msOf = (unit: Unit) => stage.honest.units[nameOf(unit)]!.ms
  return stage.units
    .filter((unit) => verdicts.some((verdict) => isOpen(verdict, unit, stage)))
    .toSorted((one, other) => msOf(one) - msOf(other))[0]
}

/** As many units as the budget is enough for. */
function affordable(units: readonly Unit[], { honest, budgetMs }: Stage): Unit[] {
  let spent = 0
  return units.filter((unit, at) => {
    const { processorMs } = honest.units[nameOf(unit)]!
    if (at > 0 && spent + processorMs > budgetMs) return false
    spent += processorMs
    return true
  })
}

/** Whom to ask about which fault, and what of it is enough. */
type Asking = {
  file: string
  isKill: (verdict: Verdict) => boolean
  platform: Started
  stage: Stage
}

/**
 * Asks units one after the other, until a clause fails that is about what has the fault. Where one
 * of others fails before, nobody is asked any more, or waited for, but who is about that, for a
 * while.
 */
async function ask(units: readonly Unit[], { file, isKill, platform, stage }: Asking) {
  const { honest } = stage
  const verdicts: Verdict[] = []
  const expected = units.reduce((sum, unit) => sum + honest.units[nameOf(unit)]!.ms, 0)
  const stop = createStop()
  const late = setTimeout(stop.request, patience.times * expected + patience.ms)
  const over = Promise.withResolvers<void>()
  const isOver = () => {
    stop.request()
    over.resolve()
  }
  let exact: NodeJS.Timeout | undefined
  stage.stop.signal.addEventListener('abort', stop.request)
  const begun = new Set<Unit>()
  const judged = new Set<Unit>()
  const isOwn = ({ scenario }: { scenario: string }) => isAbout(scenario, file)
  const askBatch = (batch: readonly Unit[]) => {
    const enough = Promise.withResolvers<void>()
    const onProgress = (told: RunEvent) => {
      if (told.kind !== 'judged') return
      judged.add(told.unit)
      verdicts.push(...told.verdicts)
      const kills = verdicts.filter(isKill)
      if (kills.length > 0) exact ??= setTimeout(isOver, exactMs)
      const isNamed = kills.some((one) => isExact(one, { file, units: stage.units }))
      if (isNamed) stop.request()
      const isOpen = batch.some((unit) => isOwn(unit) && !judged.has(unit))
      if (isNamed || (kills.length > 0 && !isOpen)) enough.resolve()
    }
    const known = [...verdicts]
    const asking = askTogether(batch, { begun, known, platform, stage, stop, onProgress })
    return Promise.race([asking, enough.promise, over.promise])
  }
  try {
    for (const all of batchesOf(units, honest)) {
      await askBatch(verdicts.some(isKill) ? all.filter(isOwn) : all)
      if (stop.requested() || platform.isGone()) break
    }
  } finally {
    clearTimeout(late)
    clearTimeout(exact)
    stage.stop.signal.removeEventListener('abort', stop.request)
  }
  const asked = units.filter((unit) => judged.has(unit)).length
  const isKnown = stage.stop.requested() || verdicts.some(isKill)
  return { asked, verdicts, note: isKnown ? undefined : await outageOf(platform) }
}

/** Asks units, and what they presuppose, in one run, but those that earlier ones began with. */
async function askTogether(
  batch: readonly Unit[],
  { begun, platform, stage, ...rest }: Together
): Promise<void> {
  const { document, pool } = stage
  const { inventory, folder } = document
  const fresh = withPresupposed(batch, { among: stage.units, inventory })
  const units = fresh.filter((unit) => !begun.has(unit))
  for (const unit of units) begun.add(unit)
  const target = { ...platform.target, adapter: adapterIn(folder) }
  await run({ units, inventory, target, pool, seed: 1, ...rest })
}

type Together = {
  begun: Set<Unit>
  platform: Started
  stage: Stage
} & Pick<Parameters<typeof run>[0], 'known' | 'stop' | 'onProgress'>

/** Why a platform can be asked nothing any more, in words; undefined while it can. */
async function outageOf(platform: Started): Promise<string | undefined> {
  if (platform.isGone()) return 'the platform ended'
  return (await platform.isAnswering()) ? undefined : 'the platform stands still'
}

/** Units in the same order, in lists that each take about as long. */
function batchesOf(units: readonly Unit[], honest: Honest): Unit[][] {
  const batches: Unit[][] = []
  let room = 0
  for (const unit of units) {
    if (room <= 0) {
      batches.push([])
      room = batchMs
    }
    batches.at(-1)!.push(unit)
    room -= honest.units[nameOf(unit)]!.ms
  }
  return batches
}
