import { sumCounts } from '../load/figures/counts.ts'
import type { PairConclusion } from '../verdict/judge-pair.ts'
import { undecided } from '../verdict/pair-again.ts'
import { stalledByB } from '../verdict/pair-stalls.ts'
import type { Block } from '../verdict/trial.ts'
import type { ComparisonOptions, ComparisonRun, Pilot } from './comparison-run.ts'
import type { Arm, Ended } from './pairing.ts'

/** What became of requests that failed, where the word for it is not its name. */
const endings: Record<string, string> = {
  ...{ refused: 'connections refused', timeout: 'without an answer in time' },
  ...{ closed: 'connections closed', unfinished: 'without an answer when the trial was over' },
  malformed: 'answers that are no HTTP'
}

/** How many of its requests failed on one side, and how. */
function failedBy(arm: Arm, blocks: readonly Block[]) {
  const trials = blocks.flatMap((pairs) => pairs.map((pair) => pair[arm]))
  const sum = (of: 'requests' | 'failures') => trials.reduce((all, trial) => all + trial[of], 0)
  const kinds = Object.entries(sumCounts(trials.map(({ errors }) => errors)))
  const told = kinds.flatMap(([kind, times]) =>
    times > 0 ? [`${times} ${endings[kind] ?? kind}`] : []
  )
  const by = told.length > 0 ? ` (${told.join(', ')})` : ''
  return { failures: sum('failures'), requests: sum('requests'), by }
}

/** Which requests of each side failed, in words, the worse one first; undefined where none did. */
function failuresSeen(blocks: readonly Block[]): string | undefined {
  const sides = (['b', 'a'] as const).map((arm) => ({ arm, ...failedBy(arm, blocks) }))
  const share = ({ failures, requests }: (typeof sides)[0]) => failures / Math.max(1, requests)
  const [worse, other] = sides.sort((one, two) => share(two) - share(one))
  if (worse!.failures === 0) return
  const count = ({ failures, requests }: (typeof sides)[0]) =>
    `${failures || 'none'} of ${requests}`
  const told = `${worse!.arm.toUpperCase()} failed ${count(worse!)} requests${worse!.by}`
  return `${told}, ${other!.arm.toUpperCase()} ${count(other!)}${other!.by}`
}

/** What comes before all else that is told of a comparison without a decision: what went wrong. */
export function wentWrong({ soFar, pairing }: ComparisonRun, ended?: Ended['how']): string[] {
  const silence = pairing.silence()
  const mayHang = silence?.says === 'may hang' ? silence.because : undefined
  // Who is blocked has lost all of its last requests, which is said of it anyway.
  const lost = silence === undefined && ended !== 'blocked' ? pairing.lost() : undefined
  const stalled = stalledByB(soFar.blocks, pairing.repeated())
  const seen = [failuresSeen(soFar.blocks) ?? lost, stalled, pairing.delay(), mayHang]
  return seen.filter((one) => one !== undefined)
}

/**
 * What a comparison concludes in the light of requests that failed: an end without an answer is no
 * pass, nor is what only B fails, nor that it alone stands still, and what is open begins with
 * them.
 */
export function withSilence(found: PairConclusion, session: ComparisonRun): PairConclusion {
  const silence = session.pairing.silence()
  const isSilent = silence?.says === 'may hang'
  if (found.verdict === 'regressed') {
    return isSilent ? { ...found, because: `${found.because}; ${silence.because}` } : found
  }
  const trials = session.soFar.blocks.flat().flatMap(({ a, b }) => [a, b])
  const isOpen = found.verdict === 'inconclusive' && trials.some(({ failures }) => failures > 0)
  const { soFar, pairing } = session
  const isOfB = pairing.lost() ?? stalledByB(soFar.blocks, pairing.repeated())
  if (!isSilent && !isOpen && isOfB === undefined) return found
  return undecided(found, [...wentWrong(session), found.because].join('; '))
}

/** What was found, and where the answers of both differ that they do: it may be other work. */
export function withAnswers(found: PairConclusion): PairConclusion {
  const { because, answers } = found
  return answers === undefined ? found : { ...found, because: `${because}; ${answers}` }
}

const fitting = (blocks: number) => (blocks === 1 ? '1 block fits' : `${blocks} blocks fit`)

const percent = (ratio: number) => `${((ratio - 1) * 100).toFixed(1)} %`

/** Why nothing could be decided, by each gate: what it would take, or that it is too little. */
export function refusal(plan: Pilot['plan'], { deadline }: ComparisonOptions): string {
  const { seconds } = deadline
  const several = plan.gates.length > 1
  const each = plan.gates.map(({ metric, budget, resolvable, neededSeconds }) => {
    const by = several ? ` by ${metric}` : ''
    const told = Number.isFinite(resolvable)
      ? `a difference of ${percent(resolvable)} would be found; it would need about ` +
        `${Math.ceil(neededSeconds)} s`
      : `no more than ${fitting(plan.looks.at.at(-1)!)} in them, too few for anything`
    return `a budget of ${percent(budget)}${by} cannot be decided in ${seconds} s here: ${told}`
  })
  return each.join('; ')
}

/** What is to be said of a difference that shows though the budget cannot be decided. */
export function differing({ differs, gates }: PairConclusion): string {
  const [gate] = gates.filter((one) => one.differs === differs)
  if (differs === undefined || gate === undefined) return ''
  const by = `${(Math.abs(gate.ratio - 1) * 100).toFixed(1)} % in ${gate.metric}`
  return `; so far B is ${differs} by ${by}, and that may be noise and the luck of these processes`
}
