import type { Load } from '../load/load.ts'
import type { ExperimentalUnit } from '../verdict/judge-pair.ts'
import { differences, type PairMetric } from '../verdict/pair-metric.ts'
import { pairsWorth, planPairs } from '../verdict/pair-plan.ts'
import type { Block, Pair, Trial } from '../verdict/trial.ts'
import { haveSettled, withSettled } from '../verdict/warm-up.ts'
import {
  type ComparisonOptions,
  type ComparisonRun,
  leastSeconds,
  type Pilot,
  unitOf
} from './comparison-run.ts'
import { type Arm, Ended } from './pairing.ts'

/** Requests a trial should hold, by metric: a percentile of fewer is hardly that percentile. */
const requestsWanted: Record<PairMetric, number> = {
  ...{ p50: 60, p90: 150, p99: 500 },
  ...{ mean: 60, throughput: 60, cpu: 60, rss: 60 }
}

/**
 * Shorter trials see too little. Longer ones share too little of the machine's weather, and leave
 * no time for many: none takes more than this share of the whole.
 */
const trialSeconds = { least: 0.06, mostShare: 0.01, stretch: 3 }

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

/**
 * What share of its requests has to fail for a target to be one that does not answer: half of them,
 * or nearly all of them where the other one answers as it should, since one that fails more often
 * is worse. Of fewer requests than `fewest` luck fails as many, and only all of them say it.
 */
const unanswered = { share: 0.5, besideHealthy: 0.9, fewest: 30 }

const sumOf = (trials: readonly Trial[], of: (trial: Trial) => number) =>
  trials.reduce((total, trial) => total + of(trial), 0)

/** Ends the comparison when a target hardly answers: there would be nothing to compare. */
function answering(arm: Arm, trials: readonly Trial[], share = unanswered.share): void {
  const sum = (of: (trial: Trial) => number) => sumOf(trials, of)
  const requests = sum((trial) => trial.requests)
  const failures = sum((trial) => trial.failures)
  const most = requests < unanswered.fewest ? requests : requests * share
  if (requests === 0 || failures < most) return
  const kinds = new Set(trials.flatMap(({ errors }) => Object.keys(errors)))
  const found = [...kinds].map((kind) => `${kind} ${sum(({ errors }) => errors[kind] ?? 0)}`)
  // Connected to, asked, and silent: what a target that hangs looks like, and a dead one does not.
  if (kinds.size > 0 && [...kinds].every((kind) => kind === 'timeout' || kind === 'unfinished')) {
    const told = `${failures} of ${requests} requests were sent and had no answer in the time`
    throw new Ended('blocked', `${arm.toUpperCase()} hangs: ${told} they were given`)
  }
  const [first] = trials.flatMap(({ unanswered }) => unanswered ?? [])
  // In one that a dead other one held up, nothing was asked.
  const asked = trials.filter((trial) => trial.requests > 0)
  const isDead = asked.every(({ unanswered }) => unanswered !== undefined)
  const why = isDead ? first : found.join(', ')
  const told = [`${failures} of ${requests} requests failed`, why].filter(Boolean).join(', ')
  throw new Ended('blocked', `${arm.toUpperCase()} does not answer as it should: ${told}`)
}

/** By how much more of its requests may be redirected on one side than on the other. */
const otherWork = 0.1

/** Ends it where one side sends elsewhere who asks, and the other does not: that is other work. */
function doingAlike(pairs: readonly Pair[]): void {
  const shares = (['a', 'b'] as const).map((arm) => {
    const trials = pairs.map((pair) => pair[arm])
    const answers = sumOf(trials, ({ requests, failures }) => requests - failures)
    const redirected = sumOf(trials, (trial) => trial.redirected ?? 0)
    return { arm: arm.toUpperCase(), answers, share: answers > 0 ? redirected / answers : 0 }
  })
  const [fewer, more] = shares.toSorted((one, other) => one.share - other.share)
  if (Math.min(fewer!.answers, more!.answers) < unanswered.fewest) return
  if (more!.share - fewer!.share <= otherWork) return
  const [much, little] = [more!, fewer!].map(({ share }) => `${(share * 100).toFixed(0)} %`)
  const told = `${more!.arm} redirects ${much} of its requests and ${fewer!.arm} ${little}`
  throw new Ended('blocked', `${told}: that is other work; give the URL where each leads to`)
}

/**
 * Ends the comparison likewise when one of both hardly answered in these pairs. Of B beside an A
 * that answers, failures are what is to be found: it is given up only where there is little else.
 */
export function bothAnswering(pairs: readonly Pair[]): void {
  answering(
    'a',
    pairs.map(({ a }) => a)
  )
  answering(
    'b',
    pairs.map(({ b }) => b),
    unanswered.besideHealthy
  )
  doingAlike(pairs)
}

/** Ends it likewise when in the pair that the deadline cut short one had hardly an answer. */
function stillAnswering(cause: unknown): void {
  if (!(cause instanceof Ended) || !cause.cut) return
  for (const arm of ['a', 'b'] as const) answering(arm, [cause.cut[arm]], unanswered.besideHealthy)
}

/** Loads both targets until it is enough and throws the result away, but for who did not answer. */
async function warmUntil(
  { options, pairing }: ComparisonRun,
  isEnough: (pairs: readonly Pair[]) => boolean
): Promise<Pair[]> {
  const load = options.loadFor(trialSeconds.least)
  const pairs: Pair[] = []
  try {
    do pairs.push(await pairing.once(load))
    while (!isEnough(pairs))
  } catch (cause) {
    stillAnswering(cause)
    throw cause
  }
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

/** Loads fresh processes until the figures of each have settled: cold code is another program. */
async function warmProcesses(session: ComparisonRun): Promise<Pair[]> {
  const { clock, deadline } = session.options
  const until = clock.now() + warmUp.share * deadline.seconds * 1_000
  return warmUntil(session, (pairs) => haveSettled(pairs) || clock.now() >= until)
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

/** One more block of pairs; on processes of its own, made anew and warm, where a block has them. */
export async function takeBlock(session: ComparisonRun, load: Load): Promise<Block> {
  const { options, pairing, pairs } = session
  if (unitOf(options) !== 'processes') return pairing.block(load, pairs)
  await pairing.renew()
  const warmedUp = await warmProcesses(session)
  return withSettled(await pairing.block(load, pairs), warmedUp)
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
  return [...block, ...(await pairing.block(load, session.pairs - pairsPerBlock))]
}

/** What comes of some work, or nothing when the time was up before that, and nothing else. */
export function inTime<Result>(work: Promise<Result>): Promise<Result | undefined> {
  return work.catch((cause) => {
    stillAnswering(cause)
    if (cause instanceof Ended && cause.how === 'time') return undefined
    throw cause
  })
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
  const { clock, margins } = options
  const began = clock.now()
  await session.pairing.renew()
  if (unitOf(options) === 'processes') {
    const lasting = trialLength(options, paceOf(await warmProcesses(session)))
    session.pairing.settle()
    return pilot(session, lasting, clock.now() - began)
  }
  const { share, leastSeconds, mostSeconds } = warmUp
  const warmSeconds = Math.min(
    mostSeconds,
    Math.max(leastSeconds, share * options.deadline.seconds)
  )
  const lasting = trialLength(options, await warm(session, warmSeconds * 1_000))
  const short = await pilot(session, lasting)
  const tellsEnough = Math.log(short.plan.resolvable) <= margins.budget / 2
  const longMs = trialSeconds.stretch * short.plan.secondsPerBlock * short.blocks.length * 1_000
  const isTime = clock.now() + longMs <= session.decideMs
  if (tellsEnough || !isTime) return short
  const long = await inTime(pilot(session, lasting * trialSeconds.stretch))
  return long && long.plan.resolvable < short.plan.resolvable ? long : short
}
