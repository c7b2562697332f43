import { type LimitsFile, type RateWindow, windowName } from './limits-file.ts'
import { type PublishedRate, ratesOf } from './rates.ts'

const periods: Record<RateWindow, string> = {
  ...{ second: 'secondly', minute: 'minutely', hour: 'hourly', day: 'daily' },
  ...{ week: 'weekly', month: 'monthly', year: 'yearly' }
}

/** A window as a period: its name, or so many seconds. */
function periodOf(seconds: number): string | object {
  const name = windowName(seconds)
  return name === undefined ? { amount: seconds, unit: 'second' } : periods[name]
}

/** Rates by what they count, for every path and method: a document does not tell them apart. */
function quotasOf(rates: readonly PublishedRate[]): object {
  const byMetric = Map.groupBy(rates, ({ number }) => number.counts)
  const metrics = [...byMetric].map(([metric, those]) => [
    metric,
    those.map(({ number, window }) => ({ max: number.value, period: periodOf(window) }))
  ])
  return { '/*': { all: Object.fromEntries(metrics) } }
}

/** The rates of a file as SLA4OAI 1.0: of all plans, and what each plan has of its own. */
export function sla4oai(file: LimitsFile): string {
  const rates = ratesOf(file)
  const byPlan = Map.groupBy(rates, ({ plan }) => plan)
  const plans = Object.fromEntries(
    [...byPlan].flatMap(([plan, those]) =>
      plan === undefined ? [] : [[plan, { quotas: quotasOf(those) }]]
    )
  )
  const metrics = new Set(rates.map(({ number }) => number.counts))
  const told = {
    context: { id: file.subject, sla: '1.0', type: 'plans', api: './openapi.yaml' },
    metrics: Object.fromEntries([...metrics].map((name) => [name, { type: 'integer' }])),
    quotas: quotasOf(byPlan.get(undefined) ?? []),
    plans
  }
  return `${JSON.stringify(told, null, 2)}\n`
}
