import type { LimitsFile } from './limits-file.ts'
import { requestRatesOf } from './rates.ts'

/**
 * The rates of requests of a file as a service tells them at `/.well-known/limits` (Graceful
 * Boundaries). Where a document does not say for which paths and methods, it is for all.
 */
export function wellKnown(file: LimitsFile): string {
  const limits = requestRatesOf(file).map(({ id, number, window, quote, documented, plan }) => {
    const limit = {
      ...{ type: 'rate', maxRequests: number.value, windowSeconds: window },
      description: quote ?? documented
    }
    return [
      id,
      { endpoint: '/*', method: '*', limits: [limit], ...(plan && { note: `plan: ${plan}` }) }
    ] as const
  })
  const { subject, verified } = file
  const description = `Verified by ${verified.by} on ${verified.at.slice(0, 10)}`
  const told = { service: subject, description, limits: Object.fromEntries(limits) }
  return `${JSON.stringify(told, null, 2)}\n`
}
