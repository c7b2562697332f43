import { bytesOf, checked, members } from '../../kernel/api/body.ts'
import { Failure } from '../../kernel/api/failure.ts'
import { send } from '../../kernel/http/answer.ts'
import type { Received, Response } from '../../kernel/http/message.ts'
import type { Time } from '../../kernel/time.ts'
import type { Zone } from '../../kernel/zone.ts'
import type { PageProtectionLimits } from '../limits.ts'
import { allowance } from './allowance.ts'
import type { Monitor } from './monitor.ts'
import { reportBody, violationIn } from './report.ts'

/** Where the pages of every zone send their reports. */
export const reportPath = '/cdn-cgi/script_monitor/report'

const mediaTypes = /^application\/(csp-report|json) *(;|$)/i

/**
 * Takes in reports. They come from anybody: their size and rate are bounded, pages elsewhere cannot
 * make a browser send them, and what is said in them counts for the zone they were sent to only.
 */
export function endpoint({ monitor, time, limits }: Parts) {
  const isAllowed = allowance(limits.reportRate)
  return async (message: Received, response: Response, zone: Zone) => {
    try {
      if (message.method !== 'POST') throw refusal(405, 'only POST', { Allow: 'POST' })
      if (!mediaTypes.test(message.headers['content-type'] ?? ''))
        throw refusal(415, 'only application/csp-report')
      if (!isAllowed(zone.id, time.now()))
        throw refusal(429, 'too many reports', { 'Retry-After': '1' })
      const body = checked(reportBody, members(await bytesOf(message, limits.reportBytes)))
      const violation = violationIn(body)
      const { searchParams } = new URL(message.url ?? '', 'http://edge')
      if (violation) monitor.report(zone, violation, searchParams.get('policy'))
      response.writeHead(204).end()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const { status, message: because, headers } = error
      const closing = { ...headers, Connection: 'close' }
      send(response, { status, type: 'text/plain', body: `${because}\n`, headers: closing })
      message.resume()
    }
  }
}

type Parts = { monitor: Monitor; time: Time; limits: PageProtectionLimits }

function refusal(status: number, message: string, headers?: Record<string, string>): Failure {
  return new Failure(status, [{ code: status, message }], headers)
}
