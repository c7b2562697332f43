import type { Load } from '../load/load.ts'
import type { ExperimentalUnit } from '../verdict/judge-pair.ts'
import { differences, type PairMetric } from '../verdict/pair-metric.ts'
import { pairsWorth, planPairs } from '../verdict/pair-plan.ts'
import type { Block, Pair } from '../verdict/trial.ts'
import { haveSettled, withSettled } from '../verdict/warm-up.ts'
import {
  bothAnswering,
  inTime,
  leastTrialSeconds,
  stillAnswering,
  unlessHanging
} from './comparison-answers.ts'
import {
  type ComparisonOptions,
  type ComparisonRun,
  leastSeconds,
  type Pilot,
  unitOf
} from './comparison-run.ts'

/** Requests a trial should hold, by metric: a percentile of fewer is hardly that percentile. */
const requestsWanted: Record<PairMetric, number> = {
  ...{ p50: 60, p90: 150, p99: 500 },
  ...{ mean: 60, throughput: 60, cpu: 60, rss: 60 }
}

/**
 * Shorter trials see too little. Longer ones share too little of the machine's weather, and leave
 * no time for many: none takes more than this share of the whole.
 */
const trialSeconds = { least: leastTrialSeconds, mostShare: 0.01, stretch: 3 }

/**
 * Share of the time for warm-up, and the most it takes. Fresh connections get the least; fresh
 * processes are warm when their own figures have settled, in the share of the time at most.
 */
const warmUp = { share: 0.05, leastSeconds: 0.5, mostSeconds: 5 }

/**
 * Share of the time that is kept for seeing a difference again; more of a short one, where it has
 * to be enough for the fewest starts that tell anything.
 */
export function reserveOf(options: ComparisonOptions): number {
  return unitOf(options) === 'processes' && options.deadline.seconds < 60 ? 0.4 : 0.3
}

/** A difference is seen again by so many blocks at least. */
export const fewestAgain: Record<ExperimentalUnit, number> = { pair: 8, processes: 3 }

/**
 * Fresh processes are measured for this share of the time that starting and warming them took, at
 * least: a median is known sooner, but what befalls one request in 200 is seen by many only.
 */
const measuredShare = 0.5

/** Blocks after which the plan is made. */
const pilotBlocks = { single: 12, several: 4 }

/** Loads both targets until it is enough and throws the result away, but for who did not answer. */
async function warmUntil(
  session: ComparisonRun,
  isEnough: (pairs: Pair[]) => boolean
): Promise<Pair[]> {
  const { options, pairing } = session
  const load = options.loadFor(trialSeconds.least)
  const pairs: Pair[] = []
  try {
    do pairs.push(await pairing.once(load))
    while (!isEnough(pairs))
  } catch (cause) {
    stillAnswering(cause)
    throw cause
  }
  pairs.push(...(await unlessHanging(session)))
  bothAnswering(pairs)
  return pairs
}

/** The slower one's pace, of all paces the best: a trial that had to wait tells little of it. */
const paceOf = (pairs: readonly Pair[]) =>
  Math.max(...pairs.map(({ a, b }) => Math.min(a.perSecond, b.perSecond)))

/** Loads both targets for a while; returns the pace of the slower one. */
export async function warm(session: ComparisonRun, forMs: number): Promise<number> {
  const { clock } = session.options
  const until = clock.now() + forMs
  return paceOf(await warmUntil(session, () => clock.now() >= until))
}

/**
 * Loads fresh processes until the figures of each have settled: cold code is another program. What
 * is level for a while and gets faster later looks settled: who knows of it asks for longer.
 */
async function warmProcesses(session: ComparisonRun): Promise<Pair[]> {
  const { clock, deadline, warmUpSeconds = 0 } = session.options
  const least = clock.now() + warmUpSeconds * 1_000
  const until = Math.max(least, clock.now() + warmUp.share * deadline.seconds * 1_000)
  const isWarm = (pairs: Pair[]) => clock.now() >= least && haveSettled(pairs)
  return warmUntil(session, (pairs) => isWarm(pairs) || clock.now() >= until)
}

/** How long a trial is to be, for the metric to be one at the pace of the warm-up. */
function trialLength(options: ComparisonOptions, perSecond: number): number {
  const { metric, also = [], deadline } = options
  const requests = [metric, ...also.map((gate) => gate.metric)].map((one) => requestsWanted[one])
  const wanted = Math.max(...requests) / Math.max(perSecond, 1e-3)
  return Math.max(trialSeconds.least, Math.min(trialSeconds.mostShare * deadline.seconds, wanted))
}

/** Brings both targets to speed again after they were made anew. */
export async function warmAgain(session: ComparisonRun): Promise<void> {
  await session.pairing.renew()
  await warm(session, warmUp.leastSeconds * 1_000)
}

/** So many pairs on the same processes, which still answer at the end. */
async function onProcesses(session: ComparisonRun, load: Load, pairs: number): Promise<Block> {
  const block = await session.pairing.block(load, pairs)
  await unlessHanging(session)
  return block
}

/** One more block of pairs; on processes of its own, made anew and warm, where a block has them. */
export async function takeBlock(session: ComparisonRun, load: Load): Promise<Block> {
  const { options, pairing, pairs } = session
  if (unitOf(options) !== 'processes') return pairing.block(load, pairs)
  await pairing.renew()
  const warmedUp = await warmProcesses(session)
  return withSettled(await onProcesses(session, load, pairs), warmedUp)
}

/**
 * The first block, on processes that are warm since `startMs` were spent on it, with as many pairs
 * as one is worth from then on.
 */
async function takeFirst(session: ComparisonRun, load: Load, startMs: number): Promise<Block> {
  const { options, pairing, decideMs } = session
  const { clock, metric, also = [], deadline, pairsPerBlock } = options
  const warmed = clock.now()
  const block = await pairing.block(load, pairsPerBlock)
  if (unitOf(options) !== 'processes') return block
  // Of blocks that fill the time exactly the last is cut short.
  const mostMs = (0.9 * reserveOf(options) * deadline.seconds * 1_000) / fewestAgain.processes
  const times = { startMs, leftMs: decideMs - warmed + startMs, mostMs }
  const pairMs = (clock.now() - warmed) / pairsPerBlock
  const each = block.flatMap((pair) => differences([[pair]], metric))
  const pairs = Math.max(pairsPerBlock, Math.ceil((measuredShare * startMs) / pairMs))
  const first = { pairs, differences: each, pairMs, ...times }
  session.pairs = pairsWorth(first, 1 + also.length)
  return [...block, ...(await onProcesses(session, load, session.pairs - pairsPerBlock))]
}

/** How many blocks fit in what is kept for seeing a difference again. */
function blocksLeft({ endMs, decideMs }: ComparisonRun, secondsPerBlock: number): number {
  return Math.floor((endMs - decideMs) / 1_000 / secondsPerBlock)
}

/**
 * Measures the first blocks and says what can be told apart from so many more. The first is of what
 * is warm already, which took `startMs`.
 */
async function pilot(session: ComparisonRun, trialLasts: number, startMs = 0): Promise<Pilot> {
  const { options, decideMs } = session
  const { clock, metric, margins, also = [], pairsPerBlock, loadFor } = options
  const count = pairsPerBlock === 1 ? pilotBlocks.single : pilotBlocks.several
  const load = loadFor(trialLasts)
  const began = clock.now() - startMs
  const blocks = [await takeFirst(session, load, startMs)]
  session.soFar.blocks = blocks
  while (blocks.length < count && clock.now() < decideMs) {
    const block = await inTime(takeBlock(session, load))
    if (block === undefined) break
    blocks.push(block)
  }
  const secondsPerBlock = (clock.now() - began) / blocks.length / 1_000
  const left = Math.max(0, decideMs - clock.now()) / 1_000
  const most = blocks.length + Math.floor(left / secondsPerBlock)
  const rest = unitOf(options) === 'processes' ? blocksLeft(session, secondsPerBlock) : 0
  // Of processes that stay, nothing is said before the least time is over.
  const unit = unitOf(options)
  const leastMs = (leastSeconds.pair - options.deadline.seconds) * 1_000 + options.deadline.leftMs()
  const looking = unit === 'pair' && {
    firstLook: blocks.length + Math.ceil(Math.max(0, leastMs) / secondsPerBlock / 1_000)
  }
  const gates = [{ metric, margins }, ...also]
  const plans = gates.map((gate) =>
    planPairs(differences(blocks, gate.metric), {
      ...{ most, rest, margins: gate.margins, unit, gates: gates.length, ...looking }
    })
  )
  // What cannot be decided by one gate may be by another, and a budget broken is broken by any.
  const plan = { ...plans[0]!, isFeasible: plans.some(({ isFeasible }) => isFeasible) }
  const perBlock = secondsPerBlock / (1 - reserveOf(options))
  const each = plans.map(({ resolvable, neededBlocks }, at) => ({
    metric: gates[at]!.metric,
    budget: Math.exp(gates[at]!.margins.budget),
    ...{ resolvable, neededSeconds: neededBlocks * perBlock }
  }))
  const { neededSeconds } = each[0]!
  const trialMs = trialLasts * 1_000
  return { load, trialMs, blocks, plan: { ...plan, secondsPerBlock, neededSeconds, gates: each } }
}

/**
 * Warms up and measures the first blocks. Many short trials tell most as a rule; where they do not
 * tell enough, since what the machine does lasts longer than they do, longer ones are tried.
 */
export async function begin(session: ComparisonRun): Promise<Pilot> {
  const { options } = session
  const { clock, margins, warmUpSeconds = 0 } = options
  const began = clock.now()
  await session.pairing.renew()
  if (unitOf(options) === 'processes') {
    const lasting = trialLength(options, paceOf(await warmProcesses(session)))
    session.pairing.settle()
    return pilot(session, lasting, clock.now() - began)
  }
  const { share, leastSeconds, mostSeconds } = warmUp
  const usual = Math.min(mostSeconds, Math.max(leastSeconds, share * options.deadline.seconds))
  const warmSeconds = Math.max(usual, warmUpSeconds)
  const lasting = trialLength(options, await warm(session, warmSeconds * 1_000))
  const short = await pilot(session, lasting)
  const tellsEnough = Math.log(short.plan.resolvable) <= margins.budget / 2
  const longMs = trialSeconds.stretch * short.plan.secondsPerBlock * short.blocks.length * 1_000
  const isTime = clock.now() + longMs <= session.decideMs
  if (tellsEnough || !isTime) return short
  const long = await inTime(pilot(session, lasting * trialSeconds.stretch))
  return long && long.plan.resolvable < short.plan.resolvable ? long : short
}
