import type { ImportedOperation } from './operations.ts'
import { type ImportedRate, requestsIn, secondsOf } from './rates.ts'
import { type ImportSource, isObject, pointerTo } from './source.ts'

/** A rate of a file that is no OpenAPI document, and which operations it is about. */
export type StatedRate = ImportedRate & { path: string; method: string }

const entries = (value: unknown) => Object.entries<any>(isObject(value) ? value : {})

/** What people call a request. */
const isRequest = (metric: unknown) => /^(api )?(requests?|calls?)$/i.test(String(metric))

/** One rate, where its numbers are some. */
function rateAt(
  said: unknown,
  seconds: number | undefined,
  at: { path: string; method: string; pointer: string }
): StatedRate[] {
  const requests = requestsIn(said)
  return requests === undefined || seconds === undefined ? [] : [{ ...at, requests, seconds }]
}

/**
 * Quotas and rates of SLA4OAI: of the plan that is named, and what of all plans, as the one called
 * `base` and the file say it, that does not override.
 */
function plansOf({ value }: ImportSource, plan: string | undefined): StatedRate[] {
  const offered = entries(value.plans)
  const named = [plan, 'base'].flatMap((wanted) => offered.filter(([name]) => name === wanted))
  const offers = named.map(([name, offer]) => ({ offer, pointer: pointerTo('/plans', name) }))
  const seen = new Set<string>()
  return [...offers, { offer: value, pointer: '' }].flatMap(({ offer, pointer }) =>
    ['quotas', 'rates'].flatMap((kind) =>
      entries(Object(offer)[kind]).flatMap(([path, methods]) =>
        entries(methods).flatMap(([method, metrics]) =>
          entries(metrics).flatMap(([metric, list]) => {
            const about = JSON.stringify([kind, path, method, metric])
            if (seen.has(about) || !isRequest(metric)) return []
            seen.add(about)
            return [list].flat().flatMap((one, index) => {
              const at = pointerTo(pointer, kind, path, method, metric, index)
              return rateAt(Object(one).max, secondsOf(Object(one).period), {
                ...{ path, method, pointer: at }
              })
            })
          })
        )
      )
    )
  )
}

/** The rates that a service tells at `/.well-known/limits`. */
function boundariesOf({ value }: ImportSource): StatedRate[] {
  return entries(value.limits).flatMap(([name, said]) => {
    const { endpoint = '/*', method = '*', limits = [] } = Object(said)
    return [limits].flat().flatMap((one: any, index: number) => {
      const pointer = pointerTo('/limits', name, 'limits', index)
      const { maxRequests, windowSeconds } = Object(one)
      return rateAt(maxRequests, secondsOf(windowSeconds), {
        path: `${endpoint}`,
        method: `${method}`,
        pointer
      })
    })
  })
}

/** Rates as API Commons lists them, of all operations; those of other tiers are not of a plan. */
function listedIn({ value }: ImportSource, plan: string | undefined): StatedRate[] {
  return (value as any[]).flatMap((one, index) => {
    const { limit, timeframe } = Object(one)
    // What is said of no tier is so for each.
    const [metric, tier] = [Object(one).metric ?? 'request', Object(one).tier ?? plan]
    const at = { path: '/*', method: '*', pointer: pointerTo('', index, 'limit') }
    return isRequest(metric) && `${tier}` === `${plan}`
      ? rateAt(limit, secondsOf(timeframe), at)
      : []
  })
}

/** The plans that a file has rates of. */
function planNames(value: unknown): string[] {
  if (!Array.isArray(value)) return Object.keys(Object(Object(value).plans))
  return [...new Set(value.flatMap((one) => Object(one).tier ?? []).map(String))]
}

/**
 * The rates of requests of a file of SLA4OAI, API Commons or `/.well-known/limits`; throws an Error
 * where there are none, or not the plan that is named.
 */
export function statedRates(source: ImportSource, plan?: string): StatedRate[] {
  const { value, file } = source
  const plans = planNames(value)
  const names = plans.join(', ')
  if (plan !== undefined && !plans.includes(plan)) {
    throw new Error(`${file} has no plan ${plan}${plans.length > 0 ? `: ${names}` : ''}`)
  }
  const isPlan = isObject(value) && (value.quotas ?? value.rates ?? value.plans) !== undefined
  const found = Array.isArray(value)
    ? listedIn(source, plan)
    : isPlan
      ? plansOf(source, plan)
      : isObject(value)
        ? boundariesOf(source)
        : []
  if (found.length > 0) return found
  const help = plans.length > 0 ? `: name one of its plans with --plan, ${names}` : ''
  throw new Error(`${file} states no rate of requests${help}`)
}

const isAll = (text: string) => /^(\/?\*+|all)$/.test(text)

/**
 * The operation that each rate is asked of: the first that it is about and that only reads, where
 * there is one. What is shared by several is as low for each of them.
 */
export function assigned(
  rates: readonly StatedRate[],
  operations: readonly ImportedOperation[]
): Map<string, StatedRate> {
  const found = new Map<string, StatedRate>()
  for (const rate of rates) {
    const those = operations.filter(({ path, method }) => {
      const isPath = isAll(rate.path) || rate.path === path
      return isPath && (isAll(rate.method) || rate.method.toUpperCase() === method)
    })
    const reading = those.filter(({ method }) => method === 'GET')
    const one = [...reading, ...those].find(({ name }) => !found.has(name))
    if (one !== undefined) found.set(one.name, rate)
  }
  return found
}
