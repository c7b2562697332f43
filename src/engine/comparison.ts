import type { Clock } from '../clock.ts'
import type { Load } from '../load/load.ts'
import { random } from '../random.ts'
import {
  judgeAgain,
  judgePair,
  type PairConclusion,
  type PairTerms
} from '../verdict/judge-pair.ts'
import type { PairMetric } from '../verdict/pair-metric.ts'
import type { PairPlan } from '../verdict/pair-plan.ts'
import type { Block } from '../verdict/trial.ts'
import { atHeldRate } from './held-rate.ts'
import { type Arms, createPairing, Ended } from './pairing.ts'
import { begin, type Pilot, reserve, type Session, takeBlock, warmAgain } from './session.ts'

/** What to compare, by what, and for how long. */
export type ComparisonOptions = {
  arms: Arms
  /** The load of a trial that lasts so long. */
  loadFor: (seconds: number) => Load
  /** Whether trials are to be open loads, at a rate that both hold and that is to be found. */
  open?: boolean
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
  | { kind: 'paced'; rate: number }
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
  plan?: Pilot['plan']
  /** The rate that was found, where one was to be. */
  rate?: number
  /** Pairs that were taken again because a trial of theirs was void. */
  repeated: number
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
  if (options.pairsPerBlock === 1) await warmAgain(session)
  const blocks: Block[] = []
  const fresh = await decide(session, { ...run, blocks, endMs, confirms: true })
  const all = [...run.blocks, ...blocks]
  const pooled = judgePair(all, { ...run.terms, looks: { ...run.terms.looks, at: [all.length] } })
  return { conclusion: judgeAgain(fresh, pooled), confirmation: fresh }
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

async function carryOut(given: Session): Promise<Omit<Comparison, 'repeated'>> {
  const { options } = given
  const { seconds, metric, margins } = options
  options.onProgress({ kind: 'warming' })
  const session = options.open ? await atHeldRate(given) : given
  const { rate } = session
  const { load, trialMs, blocks, plan } = await begin(session)
  const most = plan.looks.at.at(-1)!
  options.onProgress({ kind: 'planned', plan, blocks: most, seconds, trialMs })
  if (!plan.isFeasible) return { ended: 'refused', because: refusal({ plan }, options), plan, rate }
  const terms: PairTerms = { metric, margins, looks: plan.looks }
  const run = { load, terms, blocks }
  options.onProgress({ kind: 'measured', blocks, terms, confirms: false })
  const first = await decide(session, { ...run, endMs: session.decideMs, confirms: false })
  if (first.verdict !== 'regressed') {
    return { ended: 'decided', because: first.because, conclusion: first, plan, rate }
  }
  const { conclusion, confirmation } = await confirm(session, run, first)
  return { ended: 'decided', because: conclusion!.because, conclusion, confirmation, plan, rate }
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
