import type { Limit } from '../limit/limit.ts'
import { probeVariants } from '../limit/variants.ts'
import type { Context } from '../scenario/context.ts'
import type { LimitScenario } from '../scenario/scenario.ts'
import type { Finding } from './finding.ts'
import type { Question } from './worker.ts'

/** Finds a target's boundary as each of the scenario's variants shows it. */
export async function measure(options: {
  scenario: LimitScenario
  limit: Limit
  context: Context
  stopped: () => boolean
  onAsked: (variant: string, asked: Question['asked']) => void
}): Promise<Finding[]> {
  const { scenario, limit, context, stopped, onAsked } = options
  const { smallest, resolution, ceiling, repeats, variants } = scenario
  const boundaries = await probeVariants({
    ...{ variants, smallest, resolution, repeats, stopped },
    readings: limit.readings,
    ceiling: limit.readings.at(-1)! * ceiling,
    async ask(value, variant) {
      const answer = await scenario.probe(value, context, variant)
      const { kind, proper, because, evidence } = answer
      const { status, phase } = evidence
      onAsked(variant, { value, kind, proper, because, status, phase })
      return answer
    },
    canary: (variant) => scenario.probe(smallest, context, variant)
  })
  return [{ clause: limit.clause, evidence: { kind: 'boundary', limit, boundaries } }]
}
