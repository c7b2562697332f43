import type { ExchangeLog } from '../client/exchange-log.ts'
import { type ExpectedReply, isEvidence } from '../client/reply.ts'
import type { Answer } from '../limit/answer.ts'
import type { Limit } from '../limit/limit.ts'
import { probeVariants } from '../limit/variants.ts'
import type { Context } from '../scenario/context.ts'
import type { LimitScenario } from '../scenario/scenario.ts'
import type { Finding } from './finding.ts'
import type { Precondition } from './precondition.ts'
import type { Question } from './task.ts'

/**
 * The answer, or an unclear one where it is drawn from no evidence. An accept rests on its own
 * reply, since that proves it, as long as all that came was the target's by its form; a refusal on
 * every request that led to it.
 */
function weighed(answer: Answer, ledger: ExchangeLog, expected?: readonly ExpectedReply[]): Answer {
  const unclear = (because: string): Answer => ({ ...answer, kind: 'unclear', because })
  const { kind, because, evidence } = answer
  if (kind === 'unclear') return answer
  if (!isEvidence(evidence, expected))
    return unclear(`${because}: ${evidence.because} is no evidence`)
  const doubt = (kind === 'rejected' ? ledger.gap() : undefined) ?? ledger.foreign()
  return doubt === undefined ? answer : unclear(`${because}; on the way ${doubt}`)
}

/** Finds a target's boundary as each of the scenario's variants shows it. */
export async function runLimit(options: {
  scenario: LimitScenario
  limit: Limit
  context: Context
  ledger: ExchangeLog
  precondition: Precondition
  stopped: () => boolean
  onAsked: (variant: string, asked: Question['asked']) => void
}): Promise<Finding[]> {
  const { scenario, limit, context, ledger, precondition, stopped, onAsked } = options
  const { smallest, resolution, ceiling, repeats, variants } = scenario
  const put = async (value: number, variant: string) => {
    ledger.clear()
    const answer = await scenario.probe(value, context, variant)
    return weighed(answer, ledger, scenario.expectedReplies)
  }
  const boundaries = await probeVariants({
    ...{ variants, smallest, resolution, repeats, stopped },
    readings: limit.readings,
    ceiling: limit.readings.at(-1)! * ceiling,
    async ask(value, variant) {
      const answer = await put(value, variant)
      const { kind, proper, because, evidence } = answer
      const { status, phase } = evidence
      onAsked(variant, { value, kind, proper, because, status, phase })
      return answer
    },
    async canary(variant) {
      const asked = new Map(ledger.asked())
      const answer = await put(smallest, variant)
      const because = answer.kind === 'accepted' ? await precondition.vouch(asked) : undefined
      return because === undefined ? answer : { ...answer, kind: 'unclear', because }
    }
  })
  return [{ clause: limit.clause, evidence: { kind: 'boundary', limit, boundaries } }]
}
