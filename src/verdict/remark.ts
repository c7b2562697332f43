import { type Expectations, isAbout, type Subject } from './expectation.ts'
import type { Verdict } from './verdict.ts'

/** Something an expectation file says that a run does not bear out. */
export type Remark = {
  clause: string
  /** What it is and what to do about it, in a sentence. */
  text: string
  /** Whether the run has failed by it. */
  failing: boolean
}

type Terms = {
  /** What the file is called. */
  file: string
  /** Whether an accepted deviation that is none any more fails the run. */
  strict: boolean
  /** What all scenarios of the document claim, those of a longer tier too, where that is known. */
  claims?: readonly Required<Subject>[]
  /** Whether the whole document was run, and not a part that was asked for. */
  whole: boolean
}

type Judged = Pick<Verdict, 'scenario' | 'clause' | 'outcome'>

/** What has to be said about an expectation file once a run has come to its verdicts. */
export function remarks(
  verdicts: readonly Judged[],
  expectations: Expectations,
  { file, strict, claims, whole }: Terms
): Remark[] {
  const unneeded = expectations.deviations
    .filter((entry) => holdsNow(entry, verdicts, claims))
    .map(({ clause, scenario }): Remark => {
      const where = scenario === undefined ? '' : ` in ${scenario}`
      const text = `${clause} passes${where}: its deviation can be removed from ${file}`
      return { clause, text, failing: strict }
    })
  if (!whole) return unneeded
  // What only a longer tier judges has no verdict either, and is no mistake.
  const known = [...verdicts, ...(claims ?? [])]
  const idle = [...expectations.deviations, ...expectations.observations]
    .filter((entry) => !known.some((one) => isAbout(entry, one)))
    .map(({ clause }): Remark => {
      const text = `${clause} is in ${file}, and no scenario judges it: the entry does nothing`
      return { clause, text, failing: false }
    })
  return [...unneeded, ...idle]
}

/** Whether all that an entry is about was judged and passes. */
export function holdsNow(
  entry: Subject,
  verdicts: readonly Judged[],
  claims: readonly Required<Subject>[] = []
): boolean {
  const about = verdicts.filter((one) => isAbout(entry, one))
  const isJudged = (claim: Required<Subject>) => about.some((one) => isAbout(claim, one))
  return (
    about.length > 0 &&
    about.every(({ outcome }) => outcome === 'pass') &&
    claims.filter((claim) => isAbout(entry, claim)).every(isJudged)
  )
}
