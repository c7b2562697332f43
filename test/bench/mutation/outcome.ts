import type { Unit } from '../../../src/engine/unit.ts'
import { contradicting, type Verdict } from '../../../src/verdict/verdict.ts'
import { isExact } from './about.ts'
import type { Mutation } from './sites.ts'

/**
 * What became of a fault: `killed` when a clause failed, or one that is advice warned; `invalid`
 * when the platform does not start with it; `down` when it starts, and an endpoint of it serves
 * nothing, nothing of a kind can be set up, or it ends or stands still as it is asked, which blocks
 * a run; `stopped` when no clause failed and none could be judged; `survived` in all other cases,
 * which is `uncovered` where no scenario runs its place; `equivalent` when it is declared to change
 * nothing, or when the project's own tests of that file see no difference either.
 */
export const results = [
  'killed',
  'survived',
  'uncovered',
  'stopped',
  'down',
  'equivalent',
  'invalid'
] as const

/** One of them. */
export type Result = (typeof results)[number]

/** A fault that was tried, as one line of the results file. */
export type Tried = Pick<Mutation, 'id' | 'file' | 'line' | 'operator' | 'before' | 'after'> & {
  result: Result
  /** The scenario and the clause that saw it, of one that was killed. */
  scenario?: string
  clause?: string
  /** Whether what failed is about what has the fault. */
  isExact?: boolean
  /** Whether a run was not green all the same, however often it was asked, of one not killed. */
  isNoticed?: boolean
  /** Whether a test of ours sees it, of one that no scenario sees and that was put to them. */
  isSeenByTests?: boolean
  /** Units asked, of those that could see it. */
  asked: number
  of: number
  ms: number
  /** Processor time that its platform took, with all that it started; none where none began. */
  processorMs?: number
  /** Why it is equivalent, or what else is to be known. */
  because?: string
}

const undone = ['error', 'blocked', 'inconclusive']
const isJudged = ({ outcome }: Verdict) => !undone.includes(outcome)

/** Whether a verdict is none, which ends a run as a failure of its own: exit 2 or 3. */
export const isUndone = (verdict: Verdict): boolean => !isJudged(verdict)

/** Whether a verdict says that a clause is not so, be it one that is advice. */
export const isFalse = ({ outcome }: Verdict): boolean => contradicting.includes(outcome)

/** What a canary that was reached by HTTP says of having nothing to give: an error, or garbage. */
function isNothing(status: string, body = ''): boolean {
  if (status === '204' || !status.startsWith('2')) return true
  // What was cut off in the report may well have made sense.
  return / \{.*"error":\{"code":-32/.test(body) || (/^ [{[]/.test(body) && isGarbage(body.trim()))
}

function isGarbage(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch {
    return !text.endsWith('…')
  }
}

/**
 * The endpoint whose canary is not served, by a verdict, or what the adapter could not do; one that
 * is, or that it could do, by another, is no such. What speaks JSON-RPC says by HTTP that it was
 * reached, and in the body that it has nothing to give; a 204 says so by itself, and what begins
 * like JSON and is none says nothing.
 */
function silentOf({ outcome, because }: Verdict): string | undefined {
  if (outcome !== 'blocked') return undefined
  const failed = /^the adapter could not do "([^"]+)"/.exec(because)?.[1]
  if (failed !== undefined) return failed
  const told = /^the canary of (\S+) does not work: (?:HTTP (\d{3})( .*)?)?/s.exec(because)
  if (!told) return undefined
  const [, endpoint, status, body] = told
  return status === undefined || isNothing(status, body) ? endpoint : undefined
}

/**
 * What the verdicts so far come to. `fails` are clauses that fail without a fault, too; `needs` are
 * what each scenario needs, of which one is down where its canary blocks all who need it.
 */
export function resultOf(
  verdicts: readonly Verdict[],
  { file, units = [], fails, needs = new Map(), isGone = false }: Judging
): Pick<Tried, 'result' | 'scenario' | 'clause' | 'isExact'> {
  const failed = verdicts.filter((one) => isFalse(one) && !fails.has(one.clause))
  const exact = failed.find((one) => isExact(one, { file, units }))
  const seen = exact ?? failed[0]
  if (seen) {
    const { scenario, clause } = seen
    return { result: 'killed', scenario, clause, isExact: exact !== undefined }
  }
  const silent = new Set(verdicts.flatMap((one) => silentOf(one) ?? []))
  const isDown = [...silent].some((endpoint) =>
    verdicts.every((one) => !needs.get(one.scenario)?.includes(endpoint) || !isJudged(one))
  )
  if (isDown || isGone) return { result: 'down' }
  return { result: verdicts.some(isJudged) ? 'survived' : 'stopped' }
}

type Judging = {
  file: string
  /** Who judges which clauses. */
  units?: readonly Pick<Unit, 'scenario' | 'clauses'>[]
  fails: ReadonlySet<string>
  needs?: ReadonlyMap<string, readonly string[]>
  /** The platform has ended or stands still: nothing of it can be asked any more. */
  isGone?: boolean
}
