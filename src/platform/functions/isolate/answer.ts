import { type Answer, FunctionFailed, type Outcome } from './contract.ts'

/** The one answer of an invocation: given once, or not to be had. */
export type OneAnswer = {
  give(answer: Answer): void
  /** Does nothing once there is an answer, or another reason for there being none. */
  fail(outcome: Outcome, given?: { message?: string; passesThrough?: boolean }): void
  promise: Promise<Answer>
}

const messages: Record<Outcome, string> = {
  ok: 'The function never answered.',
  exception: 'The function threw an exception.',
  exceededCpu: 'The function exceeded its processor time limit.',
  exceededMemory: 'The function exceeded its memory limit.',
  exceededDuration: 'The function exceeded its duration limit.',
  canceled: 'The client left.',
  waitUntilTimeout: 'The function did not end in time after its answer.',
  internal: 'The instance of the function ended.'
}

/** What an outcome is to whoever waits for an answer, or for the rest of one. */
export function failureOf(
  outcome: Outcome,
  { message = messages[outcome], passesThrough = false }: Parameters<OneAnswer['fail']>[1] = {}
): FunctionFailed {
  return new FunctionFailed(message, { outcome, passesThrough })
}

/** Begins without an answer. */
export function createAnswer(): OneAnswer {
  const answer = Promise.withResolvers<Answer>()
  let isSettled = false
  // That nobody waits for an answer is no reason to fail.
  answer.promise.catch(() => {})
  return {
    give(given) {
      isSettled = true
      answer.resolve(given)
    },
    fail(outcome, given) {
      if (isSettled) return
      isSettled = true
      answer.reject(failureOf(outcome, given))
    },
    promise: answer.promise
  }
}
