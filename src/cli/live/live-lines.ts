import { oneLine } from '../../report/printable.ts'
import type { ResultRecord } from '../../report/record.ts'

/** What a page needs of a run's line while it goes on; evidence is for the report. */
export type LiveLine = { t: string } & Record<string, unknown>

/** Characters of one text. */
const most = 200

/** A run's line as the live page takes it; undefined for what it does not show. */
export function liveLine(record: ResultRecord): LiveLine | undefined {
  switch (record.t) {
    case 'header':
      return { t: 'header', name: oneLine(record.target.name, most) }
    case 'clause': {
      const { id, section = 'other' } = record
      return { t: 'clause', id, section: oneLine(section, most) }
    }
    case 'probe': {
      const { value, unit } = record.input
      return { t: 'probe', scenario: oneLine(record.scenario, most), value, unit }
    }
    case 'verdict': {
      const { clause, outcome, observed } = record
      return { t: 'verdict', clause, outcome, observed: oneLine(observed, most) }
    }
    case 'window': {
      const { scenario, fromMs, toMs, finished, failed, dropped, inFlight, p50Us, p99Us } = record
      const counts = { finished, failed, dropped, inFlight }
      return { t: 'window', scenario, fromMs, toMs, ...counts, p50Us, p99Us }
    }
    default:
      return undefined
  }
}
