import type { LimitsFile } from './limits-file.ts'
import { namedRatesOf, type PublishedRate } from './rates.ts'

/** What API Commons counts, by the words that documents have for it. */
const metrics: readonly [RegExp, string][] = [
  [/^requests?$/, 'request'],
  [/^bytes?$/, 'byte'],
  [/^tokens?$/, 'token'],
  [/^connections?$/, 'connection'],
  [/^jobs?$/, 'job'],
  [/^events?$/, 'event']
]

const sentence = ({ quote, documented }: PublishedRate) => quote ?? documented

/**
 * The rates of a file as API Commons has them (github.com/api-commons/rate-limits): a list, of
 * which YAML is one way to write it and JSON another. It knows no sizes, and of whom a rate counts
 * only what a document says in its own words.
 */
export function apiCommons(file: LimitsFile): string {
  const day = file.verified.at.slice(0, 10)
  const list = namedRatesOf(file).map((rate) => {
    const { number, plan } = rate
    const metric = metrics.find(([words]) => words.test(number.counts))?.[1] ?? 'operation'
    return {
      ...{ name: rate.id, type: 'Platform', limit: number.value, metric, timeframe: number.per },
      ...{ description: sentence(rate), ...(plan && { tier: plan }), source_date: day }
    }
  })
  return `${JSON.stringify(list, null, 2)}\n`
}
