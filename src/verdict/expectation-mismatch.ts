import type { Expectations } from './expectation.ts'
import { indexed, type Subject, type SubjectIndex } from './subject.ts'
import type { Verdict } from './verdict.ts'

/** Something an expectation file says that a run does not bear out. */
export type ExpectationMismatch = {
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
): ExpectationMismatch[] {
  const judged = indexed(verdicts)
  const claimed = indexed(claims ?? [])
  const unneeded = expectations.deviations
    .filter((entry) => holdsNow(entry, judged, claimed))
    .map(({ clause, scenario }): ExpectationMismatch => {
      const where = scenario === undefined ? '' : ` in ${scenario}`
      const text = `${clause} passes${where}: its deviation can be removed from ${file}`
      return { clause, text, failing: strict }
    })
  if (!whole) return unneeded
  // What only a longer tier judges has no verdict either, and is no mistake.
  const idle = [...expectations.deviations, ...expectations.observations]
    .filter((entry) => judged.about(entry).length === 0 && claimed.about(entry).length === 0)
    .map(({ clause }): ExpectationMismatch => {
      const text = `${clause} is in ${file}, and no scenario judges it: the entry does nothing`
      return { clause, text, failing: false }
    })
  return [...unneeded, ...idle]
}

/** Whether all that an entry is about was judged and passes. */
export function holdsNow(
  entry: Subject,
  judged: SubjectIndex<Judged>,
  claimed?: SubjectIndex<Required<Subject>>
): boolean {
  const about = judged.about(entry)
  const claims = claimed?.about(entry) ?? []
  return (
    about.length > 0 &&
    about.every(({ outcome }) => outcome === 'pass') &&
    claims.every(({ clause, scenario }) => judged.of(clause, scenario).length > 0)
  )
}
