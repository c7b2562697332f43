import type { TrialRequest, TrialResult } from '../../src/statistics/load-class.ts'

/** Runs a search against a target to its end. */
export function driven<Found>(
  search: Generator<TrialRequest, Found, TrialResult | undefined>,
  serve: (load: number) => TrialResult
): Found {
  let move = search.next()
  while (!move.done) move = search.next(serve(move.value.load))
  return move.value
}
