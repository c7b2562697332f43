import * as v from 'valibot'
import { above0, from0, lasting, whole } from '../number.ts'

/** The largest numbers that somebody takes in a load; Infinity where there is no such bound. */
export type LoadBounds = Record<
  'level' | 'connections' | 'pipelining' | 'phases' | 'timeoutMs' | 'inFlight',
  number
>

/** What a load may be, within bounds, and the numbers in it that are those of its connections. */
export function loadSchemas(most: LoadBounds) {
  const connections = {
    connections: whole(most.connections),
    pipelining: whole(most.pipelining),
    timeoutMs: v.pipe(above0, v.maxValue(most.timeoutMs))
  }
  const phase = v.strictObject({
    from: from0(most.level),
    to: from0(most.level),
    seconds: lasting,
    arrivals: v.picklist(['even', 'poisson']),
    measured: v.boolean()
  })
  const endsLast = v.check(
    (phases: v.InferOutput<typeof phase>[]) =>
      phases.every(({ seconds }, index) => seconds < Infinity || index === phases.length - 1),
    'only the last phase can go on for ever'
  )
  const shared = {
    ...connections,
    phases: v.pipe(v.array(phase), v.nonEmpty(), v.maxLength(most.phases), endsLast),
    iterations: lasting
  }
  const thinkMs = v.pipe(
    v.strictObject({ from: from0(most.timeoutMs), to: from0(most.timeoutMs) }),
    v.check(({ from, to }) => from <= to, 'a pause cannot end before it begins')
  )
  const maxInFlight = v.pipe(lasting, v.maxValue(most.inFlight))
  const load = v.variant('model', [
    v.strictObject({
      ...shared,
      ...{ model: v.literal('open'), maxInFlight, precise: v.optional(v.boolean()) }
    }),
    v.strictObject({ ...shared, model: v.literal('closed'), iterationsEach: lasting, thinkMs })
  ])
  return { load, connections }
}
