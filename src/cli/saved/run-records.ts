import type { Question } from '../../engine/task.ts'
import { unreadable } from '../../report/ndjson.ts'
import type { ProbeRecord } from '../../report/record.ts'
import { judge } from '../../verdict/judge.ts'
import type { Evidence, Verdict } from '../../verdict/verdict.ts'

/** A verdict as it is; an error where its line could not be read again, and it would be lost. */
export function keepable(verdict: Verdict): Verdict {
  const lost = unreadable({ t: 'verdict', ...verdict })
  if (lost === undefined) return verdict
  const because = `what was found cannot be kept: ${lost}`
  const evidence: Evidence = { kind: 'none', outcome: 'error', because }
  return { ...verdict, ...judge(evidence, verdict), evidence }
}

/** A question that was put to the target, and what came of it, as the so-manieth of its clause. */
export function probeRecord(
  { scenario, clause, unit, variant, asked }: Question,
  seq: number
): ProbeRecord {
  const { value, kind, proper, status, phase, because } = asked
  const outcome = { kind, proper, status, phase, because }
  return { t: 'probe', scenario, clause, seq, input: { value, unit, variant }, outcome }
}
