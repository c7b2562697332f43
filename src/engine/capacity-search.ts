import type { Clock } from '../clock.ts'
import { hold, type OpenLoad, open, warmUp } from '../load/load.ts'
import type { LoadResult } from '../load/result.ts'
import { type LoadSummary, summary } from '../load/summary.ts'
import { random } from '../random.ts'
import { type Capacity, type CapacityPlan, findCapacity } from '../verdict/capacity.ts'
import {
  type Baseline,
  baselineOf,
  judgeRate,
  type Objective,
  type RateTrial
} from '../verdict/rate-trial.ts'

/** Which target, how it is to be asked, and what it is to hold. */
export type CapacityOptions = {
  /** Sends a load to the target. */
  trial: (load: OpenLoad) => Promise<LoadResult>
  shape: Pick<OpenLoad, 'connections' | 'pipelining' | 'timeoutMs'>
  objective: Objective
  /** Where to begin, when it is known; else it follows from how long a request takes. */
  start?: number
  highest: number
  seconds: number
  seed: number
  clock: Clock
  stopped: () => boolean
  onTrial: (trial: RateTrial) => void
}

/** How a search came out: with a capacity, or without one for the reason given. */
export type CapacityOutcome =
  | { ended: 'searched'; capacity: Capacity; baseline: Baseline }
  | { ended: 'blocked' | 'interrupted'; because: string; trials: RateTrial[] }

/** A load that hardly makes a queue, in requests a second, for how long, and how often at first. */
const light = { rate: 50, seconds: 0.2, times: 5 }

/** How much slower than at first still counts as recovered, and how long to wait for that. */
const recovery = { factor: 2, mostMs: 3_000 }

/**
 * A limit that refuses lets a short trial through on what it has saved up. So that is spent before
 * each: at this many times its rate, this long at a time, until something is refused.
 */
const spending = { factor: 2, seconds: 0.25, mostTimes: 8 }

/**
 * Then comes a lead that is not measured: what was saved since then is spent at once, and limits
 * that give out all at once what they allow have time to do so, which is a share of the trial.
 */
const lead = { spendSeconds: 0.1, share: 0.5 }

type Even = { rate: number; seconds: number }

/** Sends an even load of so many requests a second, after what is not measured. */
function send({ trial, shape }: CapacityOptions, even: Even, before: Even[] = []) {
  return trial({ ...open(warmUp(before.map(hold)), hold(even)), ...shape })
}

const beyond = ({ highest }: CapacityOptions, rate: number) =>
  Math.min(highest, spending.factor * rate)

/** Sends more than a limit allows until it refuses some, within the highest rate. */
async function spend(options: CapacityOptions, rate: number): Promise<void> {
  const { seconds, mostTimes } = spending
  const more = beyond(options, rate)
  if (more <= rate) return
  for (let times = 0; times < mostTimes && !options.stopped(); times++) {
    const { errors } = summary(await send(options, { rate: more, seconds }))
    if (Object.keys(errors).length > 0) return
  }
}

/** Sends a load to a limit that has nothing saved up. */
async function sendSpent(options: CapacityOptions, { rate, seconds }: Even): Promise<LoadResult> {
  await spend(options, rate)
  const { spendSeconds, share } = lead
  return send(options, { rate, seconds }, [
    { rate: beyond(options, rate), seconds: spendSeconds },
    { rate, seconds: share * seconds }
  ])
}

/** Whether a limit refused: who is overrun is late as well. */
function isLimited({ binding, p99Us }: RateTrial, { objective }: CapacityOptions): boolean {
  return binding === 'errors' && p99Us !== null && p99Us <= objective.p99Us
}

const lightRate = ({ highest }: CapacityOptions) => Math.min(light.rate, highest)

/** What little load shows; a reason in words when the target does not answer. */
async function measureBaseline(options: CapacityOptions): Promise<Baseline | string> {
  const rate = lightRate(options)
  const seen: LoadSummary[] = []
  while (seen.length < light.times && !options.stopped())
    seen.push(summary(await send(options, { rate, seconds: light.seconds })))
  return baselineOf(seen)
}

/** Waits until the target is as quick under little load as it was at first. */
async function coolDown(options: CapacityOptions, { p50Us }: Baseline): Promise<void> {
  const until = options.clock.now() + recovery.mostMs
  while (options.clock.now() < until && !options.stopped()) {
    const found = await send(options, { rate: lightRate(options), seconds: light.seconds })
    const now = summary(found).response.p50
    if (now !== null && now <= recovery.factor * p50Us) return
  }
}

/** Searches for the highest rate a target holds; lets it recover whenever it was overrun. */
export async function searchCapacity(options: CapacityOptions): Promise<CapacityOutcome> {
  const { objective, highest, seconds, seed, stopped, onTrial } = options
  const trials: RateTrial[] = []
  const baseline = await measureBaseline(options)
  if (stopped()) return { ended: 'interrupted', because: 'on request', trials }
  if (typeof baseline === 'string') return { ended: 'blocked', because: baseline, trials }
  // One request after the other makes about this many; what a target holds is rarely much less.
  const alone = 1e6 / Math.max(1, baseline.p50Us)
  const start = Math.min(highest, options.start ?? alone / 2)
  const plan: CapacityPlan = { start, lowest: Math.min(1, start), highest, seconds }
  const search = findCapacity(plan, random(seed, 'capacity'))
  let turn = search.next()
  while (!turn.done) {
    const task = turn.value
    const hasLimit = trials.some((trial) => isLimited(trial, options))
    const result = await (hasLimit ? sendSpent : send)(options, task)
    if (stopped()) return { ended: 'interrupted', because: 'on request', trials }
    const found = judgeRate(task, result, { objective, baseline })
    trials.push(found)
    onTrial(found)
    // A queue has to drain; a limit that refuses has none.
    if (found.outcome !== 'held' && !isLimited(found, options)) await coolDown(options, baseline)
    turn = search.next(found)
  }
  return { ended: 'searched', capacity: turn.value, baseline }
}
