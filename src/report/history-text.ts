import { percent } from '../number.ts'
import {
  falseShifts,
  type History,
  type HistoryPoint,
  type HistoryShift
} from '../verdict/history.ts'
import { oneLine } from './printable.ts'
import { change, changes } from './quantity.ts'

function row(cells: readonly string[]): string {
  const [build, ...rest] = cells as [string, ...string[]]
  const widths = [10, 22, 10]
  const numbers = rest.slice(0, 3).map((cell, place) => cell.padStart(widths[place]!))
  return `  ${build.padEnd(20)}${numbers.join('')}  ${rest[3] ?? ''}`.trimEnd()
}

function pointRow({ build, ratio, interval, level, verdict }: HistoryPoint): string {
  return row([oneLine(build, 60), change(ratio), changes(interval), change(level), verdict])
}

/** A shift in a sentence. */
export function shiftText({ kind, way, from, to, ratio }: HistoryShift): string {
  const [first, last] = [oneLine(from, 60), oneLine(to, 60)]
  const which = kind === 'step' ? `with ${last}` : `little by little from ${first} to ${last}`
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
      ? shifts.slice(-mostRows).map((shift) => `  ${shiftText(shift)}`)
      : ['  no lasting shift']),
    `  (about ${percent(falseShifts.level)} of histories show one where nothing changed, and more`,
    '  where single ratios are far off by chance: compare the two builds of a step once more)',
    ''
  ].join('\n')
}
