import type { Clock } from '../clock.ts'
import type { Load } from '../load/load.ts'
import { random } from '../random.ts'
import {
  judgeAgain,
  judgePair,
  type PairConclusion,
  type PairTerms
} from '../verdict/judge-pair.ts'
import { differences, type PairMetric } from '../verdict/pair-metric.ts'
import { type PairPlan, planPairs } from '../verdict/pair-plan.ts'
import type { Block, Pair, Trial } from '../verdict/trial.ts'
import { type Arm, type Arms, createPairing, Ended, type Pairing } from './pairing.ts'

/** What to compare, by what, and for how long. */
export type ComparisonOptions = {
  arms: Arms
  /** The load of a trial that lasts so long. */
  loadFor: (seconds: number) => Load
  metric: PairMetric
  margins: PairTerms['margins']
  /** Time for everything, the confirmation included. */
  seconds: number
  /** Pairs of one block: 1, or more where every block has fresh processes. */
  pairsPerBlock: number
  seed: number
  clock: Clock
  stopped: () => boolean
  onProgress: (progress: ComparisonProgress) => void
}

/** What a comparison tells while it goes on. */
export type ComparisonProgress =
  | { kind: 'warming' }
  | { kind: 'repeated'; reasons: readonly string[] }
  | { kind: 'planned'; plan: PairPlan; blocks: number; seconds: number; trialMs: number }
  | { kind: 'measured'; blocks: readonly Block[]; terms: PairTerms; confirms: boolean }
  | { kind: 'confirming'; conclusion: PairConclusion }

/** How a comparison came out; `refused`: in its time it could not have decided. */
export type Comparison = {
  ended: 'decided' | 'refused' | Ended['how']
  because: string
  conclusion?: PairConclusion
  /** What fresh connections, or processes, said of a regression. */
  confirmation?: PairConclusion
  plan?: PairPlan & { secondsPerBlock: number; neededSeconds: number }
  /** Pairs that were taken again because a trial of theirs was void. */
  repeated: number
}

/** Requests a trial should hold, by metric: a percentile of fewer is hardly that percentile. */
const requestsWanted: Record<PairMetric, number> = {
  ...{ p50: 60, p90: 150, p99: 500 },
  ...{ throughput: 60, cpu: 60, rss: 60 }
}

/**
 * Shorter trials see too little. Longer ones share too little of the machine's weather, and leave
 * no time for many: none takes more than this share of the whole.
 */
const trialSeconds = { least: 0.06, mostShare: 0.01 }

/** Share of the time for warm-up, and the most it takes; a fresh process gets the least. */
const warmUp = { share: 0.05, leastSeconds: 0.5, mostSeconds: 5 }

/** Share of the time that is kept for confirming a regression. */
const reserve = 0.3

/** Blocks after which the plan is made. */
const pilotBlocks = { single: 12, several: 4 }

/** Everything that goes on through a whole comparison. */
type Session = {
  options: ComparisonOptions
  pairing: Pairing
  /** When it has to be over, and by when a regression should have been seen. */
  endMs: number
  decideMs: number
}

/** Ends the comparison when a target hardly answers: there would be nothing to compare. */
function answering(arm: Arm, { failures, requests, errors }: Trial): void {
  if (requests > 0 && failures <= requests / 2) return
  const found = Object.entries(errors).map(([what, times]) => `${what} ${times}`)
  const because = `of ${requests} requests ${found.join(', ') || 'none ended'}`
  throw new Ended('blocked', `${arm.toUpperCase()} does not answer as it should: ${because}`)
}

/**
 * Loads both targets for a while and throws the result away; returns the slower one's pace, of all
 * paces the best, since a trial that had to wait for the machine says little of it.
 */
async function warm({ options, pairing }: Session, forMs: number): Promise<number> {
  const { clock, loadFor } = options
  const until = clock.now() + forMs
  const load = loadFor(trialSeconds.least)
  let pace = 0
  let last: Pair
  do {
    last = await pairing.once(load)
    pace = Math.max(pace, Math.min(last.a.perSecond, last.b.perSecond))
  } while (clock.now() < until)
  answering('a', last.a)
  answering('b', last.b)
  return pace
}

/** The load of every trial: long enough for the metric to be one, at the pace of the warm-up. */
function trialLoad({ metric, loadFor, seconds }: ComparisonOptions, perSecond: number) {
  const wanted = requestsWanted[metric] / Math.max(perSecond, 1e-3)
  const { least, mostShare } = trialSeconds
  const lasting = Math.max(least, Math.min(mostShare * seconds, wanted))
  return { load: loadFor(lasting), seconds: lasting }
}

const leastWarmUpMs = warmUp.leastSeconds * 1_000

async function takeBlock(session: Session, load: Load): Promise<Block> {
  const { options, pairing } = session
  const { arms, pairsPerBlock } = options
  if (pairsPerBlock > 1) {
    await arms.renew()
    await warm(session, leastWarmUpMs)
  }
  return pairing.block(load, pairsPerBlock)
}

/** Takes blocks until a look decides, the looks are over, or the time is. */
async function decide(
  session: Session,
  run: { load: Load; terms: PairTerms; blocks: Block[]; endMs: number; confirms: boolean }
): Promise<PairConclusion> {
  const { options } = session
  const { load, terms, blocks, endMs, confirms } = run
  const { at } = terms.looks
  const judged = (at: readonly number[]) => {
    return judgePair(blocks, { ...terms, looks: { ...terms.looks, at } })
  }
  for (;;) {
    const isLate = options.clock.now() >= endMs && blocks.length > 0
    // Out of time is a look that comes early: it depends on the clock, and not on what was seen.
    if (isLate) return judged([...at.filter((look) => look < blocks.length), blocks.length])
    const isDue = at.includes(blocks.length)
    const conclusion = isDue ? judged(at) : undefined
    if (conclusion && conclusion.verdict !== 'continue') return conclusion
    blocks.push(await takeBlock(session, load))
    options.onProgress({ kind: 'measured', blocks, terms, confirms })
  }
}

/** Measures a regression once more, with everything made anew. */
async function confirm(
  session: Session,
  run: { load: Load; terms: PairTerms; blocks: Block[] },
  first: PairConclusion
): Promise<Pick<Comparison, 'conclusion' | 'confirmation'>> {
  const { options, endMs } = session
  options.onProgress({ kind: 'confirming', conclusion: first })
  if (options.pairsPerBlock === 1) {
    await options.arms.renew()
    await warm(session, leastWarmUpMs)
  }
  const blocks: Block[] = []
  const fresh = await decide(session, { ...run, blocks, endMs, confirms: true })
  const all = [...run.blocks, ...blocks]
  const pooled = judgePair(all, { ...run.terms, looks: { ...run.terms.looks, at: [all.length] } })
  return { conclusion: judgeAgain(fresh, pooled), confirmation: fresh }
}

/** Measures the first blocks and says what can be told apart from so many more. */
async function pilot(session: Session, load: Load) {
  const { options, decideMs } = session
  const { clock, metric, margins, pairsPerBlock } = options
  const count = pairsPerBlock === 1 ? pilotBlocks.single : pilotBlocks.several
  const began = clock.now()
  const blocks: Block[] = []
  do blocks.push(await takeBlock(session, load))
  while (blocks.length < count && clock.now() < decideMs)
  const secondsPerBlock = (clock.now() - began) / blocks.length / 1_000
  const left = Math.max(0, decideMs - clock.now()) / 1_000
  const most = blocks.length + Math.floor(left / secondsPerBlock)
  const plan = planPairs(differences(blocks, metric), { most, margins })
  const neededSeconds = (plan.neededBlocks * secondsPerBlock) / (1 - reserve)
  return { blocks, plan: { ...plan, secondsPerBlock, neededSeconds } }
}

const percent = (ratio: number) => `${((ratio - 1) * 100).toFixed(1)} %`

function refusal({ plan }: Required<Pick<Comparison, 'plan'>>, options: ComparisonOptions): string {
  const { margins, seconds } = options
  return (
    `a budget of ${percent(Math.exp(margins.budget))} cannot be decided in ${seconds} s here: ` +
    `that would tell ${percent(plan.resolvable)} apart; it would need about ` +
    `${Math.ceil(plan.neededSeconds)} s`
  )
}

async function carryOut(session: Session): Promise<Omit<Comparison, 'repeated'>> {
  const { options } = session
  const { arms, seconds, metric, margins } = options
  options.onProgress({ kind: 'warming' })
  await arms.renew()
  const { share, leastSeconds, mostSeconds } = warmUp
  const warmSeconds = Math.min(mostSeconds, Math.max(leastSeconds, share * seconds))
  const trial = trialLoad(options, await warm(session, warmSeconds * 1_000))
  const { blocks, plan } = await pilot(session, trial.load)
  const trialMs = trial.seconds * 1_000
  const most = plan.looks.at.at(-1)!
  options.onProgress({ kind: 'planned', plan, blocks: most, seconds, trialMs })
  if (!plan.isFeasible) return { ended: 'refused', because: refusal({ plan }, options), plan }
  const terms: PairTerms = { metric, margins, looks: plan.looks }
  const run = { load: trial.load, terms, blocks }
  const first = await decide(session, { ...run, endMs: session.decideMs, confirms: false })
  if (first.verdict !== 'regressed') {
    return { ended: 'decided', because: first.because, conclusion: first, plan }
  }
  const { conclusion, confirmation } = await confirm(session, run, first)
  return { ended: 'decided', because: conclusion!.because, conclusion, confirmation, plan }
}

/** Compares two targets: warms up, plans, takes blocks until a look decides, confirms. */
export async function compare(options: ComparisonOptions): Promise<Comparison> {
  const { arms, clock, seed, stopped, seconds, onProgress } = options
  const began = clock.now()
  const pairing = createPairing({
    ...{ arms, stopped, next: random(seed, 'order') },
    onRepeated: (reasons) => onProgress({ kind: 'repeated', reasons })
  })
  const endMs = began + seconds * 1_000
  const decideMs = began + seconds * 1_000 * (1 - reserve)
  try {
    const found = await carryOut({ options, pairing, endMs, decideMs })
    return { ...found, repeated: pairing.repeated() }
  } catch (cause) {
    if (!(cause instanceof Ended)) throw cause
    return { ended: cause.how, because: cause.message, repeated: pairing.repeated() }
  }
}
