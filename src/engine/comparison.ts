import type { Load } from '../load/load.ts'
import { random } from '../random.ts'
import {
  failsMore,
  isPassing,
  judgePair,
  type PairConclusion,
  type PairTerms
} from '../verdict/judge-pair.ts'
import {
  isToBeConfirmed,
  judgeAgain,
  termsAgain,
  termsFirst,
  undecided,
  unlessSuspected,
  unrepeated
} from '../verdict/pair-again.ts'
import { leastPairsOfStart, looksUpTo } from '../verdict/pair-plan.ts'
import type { Block } from '../verdict/trial.ts'
import { atCommonRate } from './common-rate.ts'
import { bothAnswering, hanging, inTime, unlessHanging } from './comparison-answers.ts'
import { begin, fewestAgain, reserveOf, takeBlock, warmAgain } from './comparison-pilot.ts'
import { differing, refusal, wentWrong, withAnswers, withSilence } from './comparison-refusal.ts'
import { type ComparisonOptions, type ComparisonRun, type Pilot, unitOf } from './comparison-run.ts'
import { createPairing, Ended } from './pairing.ts'

/** How a comparison came out; `refused`: in its time it could not have decided. */
export type Comparison = {
  ended: 'decided' | 'refused' | Exclude<Ended['how'], 'time'>
  because: string
  /** Of one that ended early, what was found until then, and no verdict. */
  conclusion?: PairConclusion
  /** What fresh connections, or processes, said of a regression or an improvement. */
  confirmation?: PairConclusion
  plan?: Pilot['plan']
  /** The rate that was found, where one was to be. */
  rate?: number
  /** Pairs that were taken again because a trial of theirs was void. */
  repeated: number
}

/** So many blocks at the end show whether both targets still answer. */
const lastBlocks = 4

/**
 * The conclusion, if both still answer: what was seen of one that has gone meanwhile is no answer
 * to how it is. Whether a regression is one, its confirmation shows.
 */
function alive(conclusion: PairConclusion, blocks: readonly Block[]): PairConclusion {
  if (conclusion.verdict !== 'regressed') bothAnswering(blocks.slice(-lastBlocks).flat())
  return conclusion
}

/** Takes blocks until a look decides, the looks are over, or the time is: if need be before any. */
async function decide(
  session: ComparisonRun,
  run: { load: Load; terms: PairTerms; blocks: Block[]; endMs: number; confirms: boolean }
): Promise<PairConclusion | undefined> {
  const { options } = session
  const { load, terms, blocks, endMs, confirms } = run
  const { at } = terms.looks
  const judged = (at: readonly number[]) => {
    return judgePair(blocks, { ...terms, looks: { ...terms.looks, at } })
  }
  for (;;) {
    const isDue = at.includes(blocks.length)
    const conclusion = isDue ? judged(at) : undefined
    if (conclusion && conclusion.verdict !== 'continue') return alive(conclusion, blocks)
    const isLate = options.clock.now() >= endMs
    const block = isLate ? undefined : await inTime(takeBlock(session, load))
    if (block === undefined) {
      if (blocks.length === 0) return
      // Out of time is a look that comes early: it depends on the clock, not on what was seen.
      const looks = [...at.filter((look) => look < blocks.length), blocks.length]
      return alive(judged(looks), blocks)
    }
    blocks.push(block)
    options.onProgress({ kind: 'measured', blocks, terms, confirms })
  }
}

/**
 * How a difference is seen again: by half as many blocks as it was seen by, or else by all that
 * there is time for. A look that errs in one of twenty on either side is enough: both have to. Of
 * starts it is one of forty for gates, since those of the first look tell how much starts differ:
 * by three of their own most of what is true would not be seen again.
 */
const again = { share: 0.5, level: 0.1, gatesOfStarts: 0.05 }

/** Share of the time left that passes before, where processes stay: a disturbance may go away. */
const gap = { share: 0.25, mostMs: 10_000 }

async function leaveGap({ options, endMs }: ComparisonRun): Promise<void> {
  const { clock, stopped } = options
  if (unitOf(options) === 'processes') return
  const until = clock.now() + Math.min(gap.mostMs, gap.share * (endMs - clock.now()))
  while (clock.now() < until && !stopped()) await clock.until(Math.min(until, clock.now() + 100))
}

/** What a second look left of a first one, and what it saw itself, where it was one. */
type Found = Required<Pick<Comparison, 'conclusion'>> & Pick<Comparison, 'confirmation'>

/** Measures a regression or an improvement once more, with everything made anew. */
async function confirm(
  session: ComparisonRun,
  run: { load: Load; terms: PairTerms; blocks: Block[] },
  first: PairConclusion
): Promise<Found> {
  const { options, endMs } = session
  options.onProgress({ kind: 'confirming', conclusion: first })
  const blocks: Block[] = []
  const half = Math.ceil(again.share * run.blocks.length)
  const wanted = Math.max(fewestAgain[unitOf(options)], half)
  const leftSeconds = (endMs - options.clock.now()) / 1_000
  const most = Math.floor(leftSeconds / session.soFar.plan!.secondsPerBlock)
  const at = most > wanted ? [wanted, most] : [wanted]
  const areStarts = unitOf(options) === 'processes'
  const before = areStarts && { before: { blocks: [...run.blocks], level: again.gatesOfStarts } }
  // Half as many pairs on each start, where else the fewest starts might not fit.
  if (areStarts && most <= fewestAgain.processes)
    session.pairs = Math.max(leastPairsOfStart, Math.floor(session.pairs / 2))
  const terms = termsAgain({ ...run.terms, looks: { at, level: again.level }, ...before }, first)
  const measured = async () => {
    await leaveGap(session)
    if (options.pairsPerBlock === 1) await warmAgain(session)
    return decide(session, { ...run, terms, blocks, endMs, confirms: true })
  }
  const fresh = await inTime(measured())
  if (fresh === undefined) return { conclusion: unrepeated(first) }
  bothAnswering(blocks.slice(-lastBlocks).flat())
  const all = [...run.blocks, ...blocks]
  const pooled = asLook(all, run.terms)
  const isEnough = blocks.length >= fewestAgain[unitOf(options)]
  return { conclusion: judgeAgain(first, fresh, pooled, isEnough), confirmation: fresh }
}

/** Of a budget that cannot be decided it is asked afterwards whose noise it is, for so long. */
const noiseMs = 2_000

/**
 * Of fresh processes, of which nothing was found so far, takes those that there is time for as
 * well: what is kept for seeing a difference again is not needed for that. What only all of them
 * show has to be shown by these alone, too.
 */
async function goOn(
  session: ComparisonRun,
  run: { load: Load; terms: PairTerms; blocks: Block[] },
  first: PairConclusion
): Promise<Found> {
  if (unitOf(session.options) !== 'processes') return { conclusion: first }
  const { blocks, terms } = run
  const { plan } = session.soFar
  const endMs = plan!.isFeasible ? session.endMs : session.endMs - noiseMs
  const before = [...blocks]
  const most = Math.floor((endMs - session.options.clock.now()) / 1_000 / plan!.secondsPerBlock)
  if (most < 1) return { conclusion: first }
  const at = [before.length + most]
  const lasting = { ...terms, looks: { ...terms.looks, at } }
  const given = { ...run, terms: lasting, endMs, confirms: false }
  const all = (await inTime(decide(session, given))) ?? first
  // Each look is one at which it may be told that nothing got worse.
  if (!isToBeConfirmed(all))
    return { conclusion: isPassing(first) && !isPassing(all) ? first : all }
  const rest = blocks.slice(before.length)
  bothAnswering(rest.slice(-lastBlocks).flat())
  const looks = { at: [rest.length], level: again.level }
  const alike = { before: { blocks: before, level: again.gatesOfStarts } }
  const fresh = judgePair(rest, termsAgain({ ...terms, looks, ...alike }, all))
  const isEnough = rest.length >= fewestAgain.processes
  return { conclusion: judgeAgain(all, fresh, all, isEnough), confirmation: fresh }
}

/** What so many blocks say as a look of these terms. */
function asLook(blocks: readonly Block[], terms: PairTerms): PairConclusion {
  return judgePair(blocks, { ...terms, looks: { ...terms.looks, at: [blocks.length] } })
}

async function carryOut(given: ComparisonRun): Promise<Omit<Comparison, 'repeated'>> {
  const { options, soFar } = given
  const { metric, margins, also } = options
  const { seconds } = options.deadline
  options.onProgress({ kind: 'warming' })
  const session = options.open ? await atCommonRate(given) : given
  const { rate } = session
  soFar.rate = rate
  const { load, trialMs, blocks, plan } = await begin(session)
  const most = plan.looks.at.at(-1)!
  options.onProgress({ kind: 'planned', plan, blocks: most, seconds, trialMs })
  Object.assign(soFar, { blocks, plan })
  const unit = unitOf(options)
  const terms: PairTerms = { metric, margins, also, looks: plan.looks, unit }
  const refused = async (): Promise<Omit<Comparison, 'repeated'>> => {
    await unlessHanging(session)
    const told = refusal(plan, options) + differing(asLook(blocks, terms))
    const because = [...wentWrong(session), told].join('; ')
    return { ended: 'refused', because, conclusion: untold(session, because), plan, rate }
  }
  // What fails more is told however noisy the latencies are, and of starts what else is worse.
  const isTold = unit === 'processes' && Number.isFinite(plan.resolvable)
  if (!plan.isFeasible && !isTold && !failsMore(blocks, { level: plan.looks.level, unit })) {
    return refused()
  }
  const run = { load, terms, blocks }
  options.onProgress({ kind: 'measured', blocks, terms, confirms: false })
  const looked = { ...run, terms: termsFirst(terms) }
  const first = await decide(session, { ...looked, endMs: session.decideMs, confirms: false })
  const isFound = isToBeConfirmed(first!)
  const { conclusion, confirmation } = await (isFound ? confirm : goOn)(session, run, first!)
  const isOpen = !isFound && confirmation === undefined && conclusion.verdict === 'inconclusive'
  if (isOpen && !plan.isFeasible) return refused()
  await unlessHanging(session)
  const told = withAnswers(withSilence(unlessSuspected(conclusion, terms), session))
  return { ended: 'decided', because: told.because, conclusion: told, confirmation, plan, rate }
}

/** What the blocks so far show, without a verdict; tells of them, and is undefined without any. */
function untold({ options, soFar }: ComparisonRun, because: string): PairConclusion | undefined {
  const { metric, margins, also } = options
  const { blocks, plan } = soFar
  if (blocks.length === 0) return
  const unit = unitOf(options)
  const looks = { ...(plan?.looks ?? looksUpTo(blocks.length, unit)), at: [blocks.length] }
  const terms = { metric, margins, also, looks, unit }
  options.onProgress({ kind: 'ended', blocks })
  return undecided(judgePair(blocks, terms), because)
}

/** How a comparison ended that did so early, and what it had measured. */
function cutShort(session: ComparisonRun, cause: Ended): Omit<Comparison, 'repeated'> {
  const { plan, rate } = session.soFar
  const { seconds } = session.options.deadline
  const tooSoon = `the ${seconds} s were over before it was known what can be told in them`
  const delay = session.pairing.delay()
  const late = delay === undefined ? `${tooSoon}: ${cause.message}` : tooSoon
  const isLate = cause.how === 'time'
  const first = wentWrong(session, cause.how)
  const because = [...first, isLate ? late : cause.message].join('; ')
  const how = { ended: isLate ? ('refused' as const) : cause.how, because }
  const conclusion = untold(session, how.because)
  return { ...how, ...(conclusion && { conclusion }), plan, rate }
}

/** Compares two targets: warms up, plans, takes blocks until a look decides, confirms. */
export async function compare(options: ComparisonOptions): Promise<Comparison> {
  const { arms, clock, seed, stopped, deadline, onProgress } = options
  const pairing = createPairing({
    ...{ arms, deadline, stopped, next: random(seed, 'order') },
    onRepeated: (reasons) => onProgress({ kind: 'repeated', reasons })
  })
  const endMs = clock.now() + deadline.leftMs()
  const decideMs = endMs - deadline.seconds * 1_000 * reserveOf(options)
  const pairs = options.pairsPerBlock
  const session: ComparisonRun = { options, pairing, pairs, endMs, decideMs, soFar: { blocks: [] } }
  try {
    return { ...(await carryOut(session)), repeated: pairing.repeated().length }
  } catch (cause) {
    if (!(cause instanceof Ended)) throw cause
    const hangs = cause.how === 'interrupted' ? undefined : hanging(pairing)
    return { ...cutShort(session, hangs ?? cause), repeated: pairing.repeated().length }
  }
}
