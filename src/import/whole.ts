import type { RequestParts } from '../scenario/place.ts'
import { changed } from '../scenario/request-parts.ts'
import { shapeFinding } from '../scenario/shape.ts'
import { type HowAsked, sentAt, takenWhere } from './how-asked.ts'
import { left } from './keywords.ts'
import type { ImportedOperation } from './operations.ts'
import type { RequestPlan } from './request-plan.ts'
import { createShapes } from './shapes.ts'
import { type ImportSource, located, pointerTo } from './source.ts'

/** More of something is not made only to see whether it may be sent. */
const mostHeld = 10_000

/**
 * The clauses of a plan, without what would be sent as valid and is refused by the schema of the
 * whole body: what is found keyword by keyword may be at odds with what stands beside it.
 */
export function withinWhole(
  source: ImportSource,
  { body }: ImportedOperation,
  plan: RequestPlan
): RequestPlan['clauses'] {
  if (body === undefined || Object.keys(plan.missing).length > 0) return plan.clauses
  const at = pointerTo(body.content, body.contentType, 'schema')
  const schema = located(source, at)
  if (schema === undefined) return plan.clauses
  const shapes = createShapes(source, 'readOnly')
  const own = shapes.of(schema)
  let isTold = true
  const isTaken = (value: unknown) => {
    // A schema that is in itself, or takes long, is not asked again.
    const found = isTold ? shapeFinding(value, own, shapes.defs) : undefined
    isTold &&= found !== undefined
    return found?.holds ?? true
  }
  const whole = { path: {}, query: {}, header: {}, cookie: {}, ...plan.valid } as RequestParts
  const usual = whole.body ?? plan.optional.body
  // Where nothing valid was found, it is told so by the service.
  if (usual === undefined || !isTaken(usual)) return plan.clauses
  return plan.clauses.map((clause) => {
    const { at, beside, asked } = clause
    if (!at.startsWith('body') || at === 'content-type') return clause
    const sent = (value: unknown) =>
      changed(structuredClone(whole), { [at]: value, ...beside }, plan.optional).body
    return { ...clause, asked: valid(asked, (value) => isTaken(sent(value))) }
  })
}

/** What is asked, of which that which should be taken is only what is valid. */
function valid(asked: HowAsked, isTaken: (value: unknown) => boolean): HowAsked {
  const because = 'the schema of the whole body refuses what would be asked'
  if (asked.form === 'left') return asked
  if (asked.form === 'limit') {
    const { value, smallest, max } = asked
    const numbers = value.kind !== 'number' && max > mostHeld ? [smallest] : [smallest, max]
    return numbers.every((n) => isTaken(sentAt(value, n))) ? asked : left(because)
  }
  const kept = takenWhere(asked, isTaken)
  const isLost = (asked.accepted.length > 0 || asked.ends) && kept.accepted.length === 0
  return isLost && kept.ends === undefined ? left(because) : kept
}
