/** What was asked, and what came of it in a few words. */
export type Outcome = { asked: string; came: string }

/** Everything that was asked by what came of it: `HTTP 200: page=1, page=2; HTTP 400: page=0`. */
export function byOutcome(outcomes: readonly Outcome[]): string {
  const groups = Map.groupBy(outcomes, ({ came }) => came)
  return [...groups]
    .map(([came, those]) => `${came}: ${[...new Set(those.map(({ asked }) => asked))].join(', ')}`)
    .join('; ')
}
