import type { Answer } from '../limit/answer.ts'
import type { Boundary } from '../limit/boundary.ts'
import type { Limit } from '../limit/limit.ts'
import { probe } from '../limit/probe.ts'
import type { Context } from '../scenario/context.ts'
import type { LimitScenario } from '../scenario/scenario.ts'
import type { Finding, Question } from './worker.ts'

type MeasureOptions = {
  scenario: LimitScenario
  limit: Limit
  context: Context
  stopped: () => boolean
  onAsked: (variant: string, asked: Question['asked']) => void
}

/** Where and how often to look for a boundary. */
type Search = { readings: number[]; repeats: number }

/** Looks for the boundary as one variant of the question shows it. */
function seek(options: MeasureOptions, variant: string, search: Search): Promise<Boundary> {
  const { scenario, limit, context, stopped, onAsked } = options
  const { smallest, resolution, ceiling } = scenario
  const ask = async (value: number): Promise<Answer> => {
    const answer = await scenario.probe(value, context, variant)
    const { kind, proper, because, evidence } = answer
    const { status, phase } = evidence
    onAsked(variant, { value, kind, proper, because, status, phase })
    return answer
  }
  return probe({
    ...search,
    smallest,
    resolution,
    ceiling: limit.readings.at(-1)! * ceiling,
    ask,
    canary: () => scenario.probe(smallest, context, variant),
    stopped
  })
}

/**
 * Finds a target's boundary in each of the scenario's variants. Once the first has shown it, the
 * others only confirm it, once on each side; one that does not is searched in full.
 */
export async function measure(options: MeasureOptions): Promise<Finding[]> {
  const { scenario, limit } = options
  const full: Search = { readings: limit.readings, repeats: scenario.repeats }
  const [first, ...others] = scenario.variants as [string, ...string[]]
  const found = await seek(options, first, full)
  const boundaries = [{ variant: first, boundary: found }]
  for (const variant of others) {
    const { kind, accepted = 0, rejected } = found
    const known = kind === 'found' ? { readings: [accepted], repeats: 1 } : full
    const boundary = await seek(options, variant, known)
    const agrees = boundary.kind === kind && boundary.rejected === rejected
    const isDone = agrees || known === full || options.stopped()
    boundaries.push({ variant, boundary: isDone ? boundary : await seek(options, variant, full) })
  }
  return [{ clause: limit.clause, evidence: { kind: 'boundary', limit, boundaries } }]
}
