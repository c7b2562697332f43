import { judgeCapacity } from './judge-capacity.ts'
import { judgeCheck } from './judge-check.ts'
import { judgeLimit } from './judge-limit.ts'
import { judgeLoad } from './judge-load.ts'
import { judgeSoak } from './judge-soak.ts'
import type { Conclusion } from './outcome.ts'
import type { Evidence, Verdict } from './verdict.ts'

/** What is judged: a clause, what the document says of it, and whether it is only advice. */
export type Claim = Pick<Verdict, 'clause' | 'documented' | 'derived'>

/**
 * What evidence says about a clause. Judging rests on nothing else, so the evidence of a saved run
 * gives the same conclusion again, or a better one once the judges have learnt something.
 */
export function judge(evidence: Evidence, { clause, documented, derived }: Claim): Conclusion {
  const conclusion = weigh(evidence, clause, documented)
  if (conclusion.outcome !== 'fail' || !derived) return conclusion
  const because = `${conclusion.because}; the document implies this and does not state it`
  return { ...conclusion, outcome: 'warning', because }
}

function weigh(evidence: Evidence, clause: string, documented: string): Conclusion {
  switch (evidence.kind) {
    case 'boundary':
      return judgeLimit(evidence.limit, evidence.boundaries, documented)
    case 'observations':
      return judgeCheck(clause, evidence.attempts)
    case 'load':
      return judgeLoad(evidence.objectives, evidence.summary, evidence)
    case 'capacity':
      return judgeCapacity(evidence.demand, evidence.found)
    case 'soak':
      return judgeSoak(evidence.stretches, evidence.terms)
    case 'command':
      return evidence.conclusion
    case 'none':
      return { outcome: evidence.outcome, observed: 'nothing', because: evidence.because }
  }
}
