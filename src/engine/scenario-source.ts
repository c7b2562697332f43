import type { SendTarget } from '../load/link.ts'
import { createAskingContext } from '../scenario/asking.ts'
import { endpointPartsOf } from '../scenario/endpoints.ts'
import { load } from '../scenario/find.ts'
import type { Source } from './load-worker.ts'
import { asAsked } from './returned.ts'

/** What the load of a scenario asks, and what it holds the responses against; runs its code. */
export async function askedBy({
  unit,
  target
}: Extract<Source, { unit: object }>): Promise<Pick<SendTarget, 'request' | 'checks' | 'metrics'>> {
  const found = { id: unit.scenario, file: unit.file }
  const { scenario } = await load(found)
  if (scenario.kind !== 'load') throw new Error(`${unit.file} is no load`)
  const parts = await endpointPartsOf(found)
  const request = asAsked(scenario.request(createAskingContext(target, unit.needs, parts)))
  return { request, checks: scenario.checks, metrics: scenario.metrics }
}
