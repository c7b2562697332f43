import type { Answer } from '../limit/answer.ts'
import type { Boundary } from '../limit/boundary.ts'
import type { Limit } from '../limit/limit.ts'
import { probe } from '../limit/probe.ts'
import type { Context } from '../scenario/context.ts'
import type { LimitScenario } from '../scenario/scenario.ts'
import type { Finding, Question } from './worker.ts'

/** Finds a target's boundary in each of the scenario's variants. */
export async function measure(options: {
  scenario: LimitScenario
  limit: Limit
  context: Context
  stopped: () => boolean
  onAsked: (variant: string, asked: Question['asked']) => void
}): Promise<Finding[]> {
  const { scenario, limit, context, stopped, onAsked } = options
  const { smallest, resolution, repeats, variants } = scenario
  const boundaries: { variant: string; boundary: Boundary }[] = []
  for (const variant of variants) {
    const ask = async (value: number): Promise<Answer> => {
      const answer = await scenario.probe(value, context, variant)
      const { kind, proper, because, evidence } = answer
      const { status, phase } = evidence
      onAsked(variant, { value, kind, proper, because, status, phase })
      return answer
    }
    const boundary = await probe({
      readings: limit.readings,
      smallest,
      resolution,
      ceiling: limit.readings.at(-1)! * scenario.ceiling,
      repeats,
      ask,
      canary: () => scenario.probe(smallest, context, variant),
      stopped
    })
    boundaries.push({ variant, boundary })
  }
  return [{ clause: limit.clause, evidence: { kind: 'boundary', limit, boundaries } }]
}
