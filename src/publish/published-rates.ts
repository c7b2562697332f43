import * as v from 'valibot'
import { windowName } from './limits-file.ts'
import { bound, countedLoss, dotted, inWords, type PublishedReader, told } from './published.ts'

const windows = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const

/** A stretch of seconds as units have it: `minute`, `90 seconds`. */
function windowIn(seconds: number): string {
  return windowName(seconds) ?? `${inWords(seconds)} seconds`
}

/** A rate as a document says it: 1,000 requests/minute. */
const rate = (value: number, counts: string, window: string) =>
  `${inWords(value)} ${counts}/${window}`

const noNumber = 'entry that is no rate with a number'

const boundaries = v.looseObject({
  service: v.optional(v.string(), ''),
  limits: v.record(
    v.string(),
    v.looseObject({ limits: v.array(v.unknown()), note: v.optional(v.string()) })
  )
})
const boundary = v.looseObject({
  maxRequests: bound,
  windowSeconds: v.pipe(bound, v.gtValue(0)),
  description: v.optional(v.string())
})

/** Reads what a service says at `/.well-known/limits` (Graceful Boundaries). */
export const readWellKnown: PublishedReader = (json) => {
  const { output, success } = v.safeParse(boundaries, json)
  if (!success) return
  const all = Object.entries(output.limits).flatMap(([name, { limits, note }]) =>
    limits.map((limit) => ({ name, note, limit: v.safeParse(boundary, limit) }))
  )
  const clauses = all.flatMap(({ name, note, limit }) => {
    if (!limit.success) return []
    const { maxRequests, windowSeconds, description } = limit.output
    const plan = /^plan: (.+)$/.exec(note ?? '')?.[1]
    const documented = rate(maxRequests, 'requests', windowIn(windowSeconds))
    return { ...limitOf(dotted(name), documented, description), ...(plan && { plan }) }
  })
  const lost = countedLoss(all.length - clauses.length, noNumber)
  return { subject: output.service, clauses: told(clauses), lost }
}

const limitOf = (id: string, documented: string, notes?: string | null) => {
  const isNew = notes != null && notes !== '' && notes !== documented
  return { id, kind: 'limit' as const, documented, ...(isNew && { notes }) }
}

const listed = v.looseObject({
  name: v.string(),
  limit: bound,
  metric: v.nullish(v.string(), 'request'),
  timeframe: v.picklist(windows),
  description: v.nullish(v.string()),
  tier: v.nullish(v.string())
})

/** Reads rates as API Commons lists them. */
export const readApiCommons: PublishedReader = (json) => {
  const list = Array.isArray(json) ? json : undefined
  const all = list?.map((one) => v.safeParse(listed, one))
  // A list of nothing is what is published where no rate holds.
  if (all === undefined || (all.length > 0 && !all.some(({ success }) => success))) return
  const clauses = all.flatMap(({ success, output }) => {
    if (!success) return []
    const { name, limit, metric, timeframe, description, tier: plan } = output
    const documented = rate(limit, `${metric.replace(/s$/, '')}s`, timeframe)
    return { ...limitOf(dotted(name), documented, description), ...(plan && { plan }) }
  })
  const lost = countedLoss(all.length - clauses.length, noNumber)
  return { subject: '', clauses: told(clauses), lost }
}

const periods: Record<string, string> = {
  ...{ secondly: 'second', minutely: 'minute', hourly: 'hour', daily: 'day' },
  ...{ weekly: 'week', monthly: 'month', yearly: 'year' }
}
const period = v.union([
  v.pipe(
    v.picklist(Object.keys(periods)),
    v.transform((name) => periods[name]!)
  ),
  v.pipe(
    v.looseObject({ amount: v.optional(v.number(), 1), unit: v.picklist(windows) }),
    v.transform(({ amount, unit }) => (amount === 1 ? unit : `${inWords(amount)} ${unit}s`))
  )
])
const quota = v.looseObject({ max: bound, period })
const quotas = v.record(v.string(), v.record(v.string(), v.record(v.string(), v.unknown())))
const offered = v.looseObject({ quotas: v.optional(quotas, {}), rates: v.optional(quotas, {}) })
const agreement = v.looseObject({
  ...offered.entries,
  context: v.looseObject({ id: v.optional(v.string(), ''), sla: v.optional(v.string()) }),
  plans: v.optional(v.record(v.string(), offered), {})
})

/** A path or a method as parts of an id; none where it is all of them. */
const part = (text: string) => (/^(\/?\*+|all)$/.test(text) ? [] : [dotted(text)])

/** Reads plans of SLA4OAI: their quotas and rates, by path, method and metric. */
export const readSla4oai: PublishedReader = (json) => {
  const { output, success } = v.safeParse(agreement, json)
  if (!success) return
  const scopes = [{ plan: undefined, offer: output }, ...plansOf(output.plans)]
  const all = scopes.flatMap(({ plan, offer }) =>
    (['quotas', 'rates'] as const).flatMap((kind) =>
      entriesOf(offer[kind]).map((one) => ({ ...one, plan, kind }))
    )
  )
  if (all.length === 0 && output.context.sla === undefined) return
  const clauses = all.flatMap(({ plan, kind, path, method, metric, entry }) => {
    if (!entry.success) return []
    const { max, period: window } = entry.output
    const inPlan = plan === undefined ? [] : ['plans', dotted(plan)]
    const words = [...inPlan, kind, ...part(path), ...part(method), dotted(metric), dotted(window)]
    const documented = rate(max, metric, window)
    return { ...limitOf(words.join('.'), documented), ...(plan !== undefined && { plan }) }
  })
  const lost = countedLoss(all.length - clauses.length, noNumber)
  return { subject: output.context.id, clauses: told(clauses), lost }
}

const plansOf = (plans: Record<string, v.InferOutput<typeof offered>>) =>
  Object.entries(plans).map(([plan, offer]) => ({ plan, offer }))

function entriesOf(all: v.InferOutput<typeof quotas>) {
  return Object.entries(all).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, metrics]) =>
      Object.entries(metrics).flatMap(([metric, list]) =>
        [list].flat().map((one) => ({ path, method, metric, entry: v.safeParse(quota, one) }))
      )
    )
  )
}
