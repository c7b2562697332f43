import type { Answer } from './answer.ts'
import type { AskedValue, Boundary } from './boundary.ts'
import { askedValue, type SearchOptions, search } from './search.ts'

/** What to search for, and how to ask. */
export type ProbeOptions = SearchOptions & {
  ask: (value: number) => Promise<Answer>
  /** Asks a question that the target is known to accept. */
  canary: () => Promise<Answer>
  onAsked?: (asked: AskedValue) => void
  /** Whether to stop before the next question. */
  stopped: () => boolean
}

/**
 * Searches a target for its boundary. A refusal counts only if the target accepts the canary after
 * it: one that has just fallen over refuses everything, and that is no limit.
 */
export async function probe(options: ProbeOptions): Promise<Boundary> {
  const { ask, canary, onAsked, stopped } = options
  const asked: AskedValue[] = []
  const questions = search(options)
  let step = questions.next()
  while (!step.done) {
    if (stopped()) return halted(asked)
    const { value } = step
    const first = await ask(value)
    // What was given up has no answer, which says nothing of the target.
    if (stopped() && first.kind === 'unclear') return halted(asked)
    // Before anything was accepted nothing is known to be good, so a refusal has to stand alone.
    const isChecked = first.kind === 'rejected' && asked.some((one) => one.kind === 'accepted')
    const answer = isChecked ? confirmed(first, value, await canary()) : first
    asked.push(askedValue(value, answer))
    onAsked?.(asked.at(-1)!)
    step = questions.next(answer)
  }
  return step.value
}

/** The refusal as it is, or unclear when the target did not go on working after it. */
function confirmed(refusal: Answer, value: number, canary: Answer): Answer {
  if (canary.kind === 'accepted') return refusal
  const after = `the target stopped answering after ${value}: ${canary.because}`
  return { ...refusal, kind: 'unclear', because: `${refusal.because}; ${after}` }
}

/** What had been answered by then is told, though it is no boundary yet. */
function halted(asked: AskedValue[]): Boundary {
  const values = (kind: AskedValue['kind']) =>
    asked.flatMap((one) => (one.kind === kind ? one.value : []))
  const accepted = Math.max(...values('accepted'))
  const rejected = Math.min(...values('rejected'))
  const sides = {
    ...(Number.isFinite(accepted) && { accepted }),
    ...(Number.isFinite(rejected) && { rejected })
  }
  const known = Object.entries(sides).map(([side, value]) => `${value} was ${side}`)
  const because = ['stopped before the boundary was found', ...known].join(', ')
  return { kind: 'unclear', ...sides, repeats: { accepted: 0, rejected: 0 }, because, asked }
}
