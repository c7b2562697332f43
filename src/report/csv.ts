import { printable } from './printable.ts'
import type { Report, WindowRecord } from './record.ts'

/** What of a stretch of a load is a number of its own, and in which unit. */
const ofStretches: [metric: string, unit: string, of: (one: WindowRecord) => number | null][] = [
  ['requests', 'requests', ({ finished }) => finished],
  ['failures', 'requests', ({ failed }) => failed],
  ['dropped', 'requests', ({ dropped }) => dropped],
  ['in_flight', 'requests', ({ inFlight }) => inFlight],
  ['response_p50', 'us', ({ p50Us }) => p50Us],
  ['response_p99', 'us', ({ p99Us }) => p99Us]
]

/**
 * A field as RFC 4180 has it. A text that a spreadsheet might take for a formula begins with an
 * apostrophe, by which it does not; some trim it first, and some know wide signs or part fields at
 * a semicolon.
 */
function field(value: string | number): string {
  if (typeof value === 'number') return `${value}`
  const plain = printable(value)
  const text = /^[\s=+\-@＝＋－＠]/.test(plain) ? `'${plain}` : plain
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const row = (...fields: (string | number)[]) => `${fields.map(field).join(',')}\r\n`

/**
 * Every number of a run as CSV in long form, a line each: of which scenario, which metric in which
 * unit, its value, and in milliseconds from the load's beginning from when to when, empty where it
 * is of the whole.
 */
export function* csvParts({ metrics, windows = [] }: Report): Generator<string> {
  yield row('scenario', 'metric', 'unit', 'value', 'from_ms', 'to_ms')
  for (const { scenario, name, unit, value } of metrics)
    yield row(scenario, name, unit, value, '', '')
  for (const window of windows) {
    for (const [metric, unit, of] of ofStretches) {
      const value = of(window)
      if (value === null) continue
      yield row(window.scenario, metric, unit, value, window.fromMs, window.toMs)
    }
  }
}
