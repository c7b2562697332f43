import type { History, HistoryPoint, HistoryShift } from '../verdict/history.ts'
import { change, changes } from './quantity.ts'

function row(cells: readonly string[]): string {
  const [build, ...rest] = cells as [string, ...string[]]
  const widths = [10, 22, 10]
  const numbers = rest.slice(0, 3).map((cell, place) => cell.padStart(widths[place]!))
  return `  ${build.padEnd(20)}${numbers.join('')}  ${rest[3] ?? ''}`.trimEnd()
}

function pointRow({ build, ratio, interval, level, verdict }: HistoryPoint): string {
  return row([build, change(ratio), changes(interval), change(level), verdict])
}

/** A shift in a sentence. */
export function shiftText({ kind, way, from, to, ratio }: HistoryShift): string {
  const which = kind === 'step' ? `with ${to}` : `little by little from ${from} to ${to}`
  return `${way} by ${change(ratio).replace(/^[+−]/, '')} ${which}`
}

/** The builds shown, of all that there are. */
const mostRows = 40

/** A history for people, the newest build last. */
export function historyText({ metric, points, shifts }: History): string {
  if (points.length === 0) return `\nNo build was measured by ${metric}.\n`
  const left = points.length - mostRows
  return [
    '',
    row([metric, 'change', 'surely within', 'level']),
    ...(left > 0 ? [`  … ${left} more before`] : []),
    ...points.slice(-mostRows).map(pointRow),
    '',
    ...(shifts.length > 0
      ? shifts.map((shift) => `  ${shiftText(shift)}`)
      : ['  no lasting shift']),
    ''
  ].join('\n')
}
