import type { Clock } from '../clock.ts'
import type { LoadResult } from '../load/figures/result.ts'
import { summary } from '../load/figures/summary.ts'
import { hold, type OpenLoad, open, warmUp } from '../load/load.ts'
import { random } from '../random.ts'
import { type Capacity, type CapacityPlan, dueBy, findCapacity } from '../verdict/capacity.ts'
import {
  boundOf,
  judgeRate,
  type Objective,
  type RateBaseline,
  type RateTask,
  type RateTrial,
  unseenShare
} from '../verdict/rate-trial.ts'
import {
  coolDown,
  type Even,
  measureBaseline,
  type Quiet,
  type QuietBaseline
} from './capacity-baseline.ts'
import type { Deadline } from './deadline.ts'
import { AllLost } from './load-worker.ts'
import { Stopped, unlessStopped } from './stop.ts'

/** Which target, how it is to be asked, and what it is to hold. */
export type CapacityOptions = {
  /** Sends a load to the target. */
  trial: (load: OpenLoad) => Promise<LoadResult>
  shape: Pick<OpenLoad, 'connections' | 'pipelining' | 'timeoutMs'>
  objective: Objective
  /** Where to begin, when it is known; else it follows from how long a request takes. */
  start?: number
  highest: number
  /** By when it has to be over: nothing is begun that would last beyond it. */
  deadline: Deadline
  seed: number
  clock: Clock
  /** Whether to end, on request or since the time is up; what is under way then is of no use. */
  stopped: () => boolean
  /** Told of what is tried next. */
  onTask?: (task: RateTask) => void
  onTrial: (trial: RateTrial) => void
}

/**
 * How a search came out: as it should, or early for the reason given; then with what was found by
 * then, if it had begun.
 */
export type CapacityOutcome =
  | { ended: 'searched'; capacity: Capacity; baseline: RateBaseline }
  | {
      /** `lost`: a part of those who send it is gone, and what is left is another generator. */
      ended: 'blocked' | 'interrupted' | 'lost'
      because: string
      capacity?: Capacity
      baseline?: RateBaseline
    }

/** In less time nothing can be told: a process starts, sees little load, and makes a few trials. */
export const leastCapacitySeconds = 5

/** In less time the bounds rarely meet, and what they are is rarely confirmed. */
export const shortCapacitySeconds = 30

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

/** Sends an even load of so many requests a second, after what is not measured. */
function send({ trial, shape }: CapacityOptions, even: Even, before: Even[] = []) {
  return trial({ ...open(warmUp(before.map(hold)), hold(even)), ...shape })
}

/** How little load is sent, so that no queue is made. */
const quietly = (options: CapacityOptions): Quiet => ({
  ...options,
  send: (even) => send(options, even)
})

const beyond = ({ highest }: CapacityOptions, rate: number) =>
  Math.min(highest, spending.factor * rate)

/** Sends more than a limit allows until it refuses some, within the highest rate. */
async function spend(options: CapacityOptions, rate: number): Promise<void> {
  const { seconds, mostTimes } = spending
  const more = beyond(options, rate)
  if (more <= rate) return
  const isTime = () => !options.stopped() && options.deadline.leftMs() > seconds * 1_000
  for (let times = 0; times < mostTimes && isTime(); times++) {
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

/**
 * Says whether there is time for a trial: for its own length and for what the last ones took
 * besides, by when its purpose has to be done with. While nothing was held there is nothing to be
 * confirmed either, and the search has all the time there is.
 */
function createTimetable({ deadline, clock }: CapacityOptions) {
  let besidesMs = 0
  let beganAt = 0
  let hasHeld = false
  return {
    hasTimeFor({ purpose, seconds }: RateTask): boolean {
      beganAt = clock.now()
      const keptMs = hasHeld ? (1 - dueBy[purpose]) * deadline.seconds * 1_000 : 0
      return deadline.leftMs() - keptMs >= seconds * 1_000 + besidesMs
    },
    /** The trial that was asked about is over, and all that it took with it. */
    done({ seconds, outcome }: RateTrial): void {
      hasHeld ||= outcome === 'held'
      const besides = Math.max(0, clock.now() - beganAt - seconds * 1_000)
      // A single one that was held up says little of the next.
      besidesMs = (besidesMs + besides) / 2
    }
  }
}

/** Offers one rate and judges what came of it; undefined when that was cut short. */
async function attempt(
  options: CapacityOptions,
  task: RateTask,
  known: QuietBaseline & { hasLimit: boolean }
): Promise<RateTrial | undefined> {
  const { objective, stopped, onTask, onTrial } = options
  const { baseline, varying } = known
  onTask?.(task)
  const result = await (known.hasLimit ? sendSpent : send)(options, task)
  if (stopped()) return
  const found = judgeRate(task, result, { objective, baseline, scv: varying?.scv })
  onTrial(found)
  return found
}

/** Makes the trials of a search for as long as there is time, and a target. */
async function carryOut(options: CapacityOptions, known: QuietBaseline): Promise<CapacityOutcome> {
  const { baseline, varying } = known
  const { highest, seed, stopped, deadline } = options
  // One request after the other makes about this many; what a target holds is rarely much less.
  const alone = 1e6 / Math.max(1, baseline.p50Us)
  const start = Math.min(highest, options.start ?? alone / 2)
  const { seconds } = deadline
  const { objective } = options
  const { errorRatio } = objective
  const plan: CapacityPlan = {
    ...{ start, lowest: Math.min(1, start), highest, seconds, errorRatio },
    unseen: (trial) => unseenShare(trial, { objective, baseline }),
    responseSeconds: baseline.p50Us / 1e6,
    ...(varying && { varying: { ...varying, bound: boundOf(objective) } })
  }
  const search = findCapacity(plan, random(seed, 'capacity'))
  const timetable = createTimetable(options)
  let hasLimit = false
  let gone: string | undefined
  let turn = search.next()
  while (!turn.done) {
    const task = turn.value
    let found: RateTrial | undefined
    if (gone === undefined && !stopped() && timetable.hasTimeFor(task)) {
      found = await attempt(options, task, { ...known, hasLimit }).catch(unlessStopped)
    }
    if (found) {
      hasLimit ||= isLimited(found, options)
      // A queue has to drain; a limit that refuses has none.
      if (found.outcome !== 'held' && !isLimited(found, options)) {
        gone = await coolDown(quietly(options), known).catch(unlessStopped)
      }
      timetable.done(found)
    }
    // Of a trial that met a target which had gone nothing is to be learnt.
    turn = search.next(gone === undefined ? found : undefined)
  }
  const capacity = turn.value
  if (gone !== undefined) return { ended: 'blocked', because: gone, capacity, baseline }
  if (isInterrupted(options)) return { ...interrupted, capacity, baseline }
  return { ended: 'searched', capacity, baseline }
}

const interrupted = { ended: 'interrupted', because: 'on request' } as const

const isInterrupted = ({ stopped, deadline }: CapacityOptions) => stopped() && deadline.leftMs() > 0

/**
 * Searches for the highest rate a target holds, within the time there is; lets it recover whenever
 * it was overrun, and ends as soon as a part of the generator is lost.
 */
export async function searchCapacity(options: CapacityOptions): Promise<CapacityOutcome> {
  const { trial, stopped } = options
  let because: string | undefined
  const outcome = await searchWhole({
    ...options,
    stopped: () => because !== undefined || stopped(),
    async trial(load) {
      const lost = (how: string) => {
        because ??= `a worker was lost: ${how}`
      }
      try {
        const result = await trial(load)
        if (result.lost) lost(result.lost.join('; '))
        return result
      } catch (cause) {
        if (!(cause instanceof AllLost)) throw cause
        lost(cause.message)
        throw new Stopped(cause.message)
      }
    }
  })
  const { capacity, baseline } = outcome
  return because === undefined ? outcome : { ended: 'lost', because, capacity, baseline }
}

async function searchWhole(options: CapacityOptions): Promise<CapacityOutcome> {
  const known =
    (await measureBaseline(quietly(options)).catch(unlessStopped)) ?? 'no answer in time'
  if (isInterrupted(options)) return interrupted
  if (typeof known === 'string') return { ended: 'blocked', because: known }
  return carryOut(options, known)
}
