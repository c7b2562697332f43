import { coverageOf } from '../../report/coverage.ts'
import type { Footer, Header, Report, VerdictRecord } from '../../report/record.ts'
import { exitCode } from '../../verdict/exit-code.ts'
import { type ExpectationMismatch, remarks } from '../../verdict/expectation-mismatch.ts'
import { exit } from '../failure.ts'
import { claimsIn, isWhole } from './contents.ts'
import type { Held } from './expectation-file.ts'

type Ended = {
  header: Header
  verdicts: readonly VerdictRecord[]
  /** What the scenarios of the document claim, where that is known. */
  plan?: Report['plan']
  requireCoverage?: number
  /** What the verdicts were held against. */
  held?: Held
  complete: boolean
  ms: number
}

/** The last line of a run: what it comes to, by its verdicts and by what was demanded of it. */
export function footerOf(ended: Ended): Footer {
  const { header, verdicts, plan, requireCoverage, held, complete, ms } = ended
  const { counts, coverage } = coverageOf(verdicts, header.document.clauses, plan)
  const said = held && remarksOf(ended, held)
  const gated = held?.source.gate === 'observed' ? (counts.changed ?? 0) : 0
  const breaches = gated + (said ?? []).filter(({ failing }) => failing).length
  const judged = exitCode(counts, { coverage, requireCoverage, breaches, advice: header.advice })
  return {
    t: 'footer',
    counts,
    coverage,
    requireCoverage,
    remarks: said,
    exit: complete ? judged : exit.interrupted,
    complete,
    ms
  }
}

function remarksOf({ header, verdicts, complete }: Ended, held: Held): ExpectationMismatch[] {
  const { expectations, contents, source } = held
  return remarks(verdicts, expectations, {
    file: source.file,
    strict: source.strict,
    claims: contents && claimsIn(contents),
    whole: complete && contents !== undefined && isWhole(contents, header.scenarios)
  })
}
