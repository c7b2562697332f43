import { type Counts, type Outcome, outcomes } from '../verdict/verdict.ts'

/** How every format shows an outcome, and what it means for the reader. */
export const legend: Record<Outcome, { mark: string; meaning: string }> = {
  fail: { mark: '✘', meaning: 'The target contradicts the document.' },
  error: { mark: '!', meaning: 'A fault of the harness; it says nothing about the target.' },
  inconclusive: { mark: '?', meaning: 'The answers do not decide it.' },
  blocked: { mark: '⊘', meaning: 'Something that has to work first did not.' },
  changed: { mark: '≠', meaning: 'The document is silent, and the target differs from last time.' },
  deviation: { mark: '≈', meaning: 'A contradiction that is known and accepted.' },
  observed: { mark: '○', meaning: 'The document is silent; what the target does is recorded.' },
  pass: { mark: '✔', meaning: 'The target does what the document says.' },
  inapplicable: { mark: '–', meaning: 'The document makes no such claim for this target.' },
  untested: { mark: '·', meaning: 'Nothing was asked.' }
}

/** `3 fail · 41 pass`: the outcomes that occur, worst first. */
export function countsText(counts: Counts): string {
  const occurring = outcomes.filter((outcome) => counts[outcome])
  return occurring.map((outcome) => `${counts[outcome]} ${outcome}`).join(' · ') || 'no verdicts'
}

/** The one sentence a run comes down to, and the outcome that decides it. */
export function headline(counts: Counts): { outcome: Outcome; text: string } {
  const say = (outcome: Outcome, one: string, many: string) => {
    const count = counts[outcome] ?? 0
    return count > 0 && { outcome, text: count === 1 ? `1 ${one}` : `${count} ${many}` }
  }
  return (
    say('fail', 'clause fails', 'clauses fail') ||
    say('error', 'clause could not be checked', 'clauses could not be checked') ||
    say('inconclusive', 'clause is inconclusive', 'clauses are inconclusive') ||
    say('blocked', 'clause is blocked', 'clauses are blocked') ||
    say('pass', 'clause holds', 'clauses hold') ||
    say('observed', 'clause observed, none judged', 'clauses observed, none judged') || {
      outcome: 'untested',
      text: 'Nothing was checked'
    }
  )
}

/** Verdicts with the worst first, otherwise in the order given. */
export function worstFirst<T extends { outcome: Outcome }>(verdicts: readonly T[]): T[] {
  return outcomes.flatMap((outcome) => verdicts.filter((one) => one.outcome === outcome))
}
