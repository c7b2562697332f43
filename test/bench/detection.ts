// How much of the attacks and of the ordinary traffic kept in the tests the signatures of level 1
// find: what they were made with, and what was held out.
import { detection, type Outcome } from '../platform/waf/corpus/detection.ts'

/** As `found of all (share)`. */
function told(outcomes: readonly Outcome[]): string {
  const found = outcomes.filter((outcome) => outcome.found.length > 0).length
  return `${found} of ${outcomes.length} (${((100 * found) / outcomes.length).toFixed(1)} %)`
}

const seen = detection()
console.log('class               made with               held out')
for (const [title, outcomes] of Object.entries(seen)) {
  const byKind = Map.groupBy(outcomes, ({ kind }) => kind)
  for (const [kind, those] of [...byKind, [`all ${title}`, outcomes] as const]) {
    const [held, made] = [true, false].map((is) => those.filter((one) => one.isHeldOut === is))
    console.log(`${kind.padEnd(20)}${told(made!).padEnd(24)}${told(held!)}`)
  }
}
