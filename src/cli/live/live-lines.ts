import { oneLine, shortened } from '../../report/printable.ts'
import type { ResultRecord } from '../../report/record.ts'

/** What is told of a command besides the lines of a run. */
export type LiveFact =
  /** How far it is, on one line; the next takes its place. */
  | { t: 'progress'; text: string }
  /** What it found on the way, or a person should know. */
  | { t: 'note'; text: string }
  /** The next point of curves that are drawn together; null where there is none. */
  | { t: 'point'; name: string; text: string; values: Record<string, number | null> }

/** What a page needs of a run's line while it goes on; evidence is for the report. */
export type LiveLine = { t: string } & Record<string, unknown>

/** Characters of one text. */
const most = 200

/** Characters of a note, which may have several lines. */
const mostOfNote = 2_000

/** A run's line as the live page takes it; undefined for what it does not show. */
export function liveLine(record: ResultRecord | LiveFact): LiveLine | undefined {
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
    case 'progress':
      return { t: 'progress', text: oneLine(record.text, most) }
    case 'note':
      return { t: 'note', text: shortened(record.text, mostOfNote) }
    case 'point':
      return record
    default:
      return undefined
  }
}
