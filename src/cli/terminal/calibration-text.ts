import { percent } from '../../number.ts'
import { change, grouped } from '../../report/quantity.ts'
import type { CalibrationRecord, Known } from '../saved/calibration-file.ts'

const secondsTold = ({ seconds }: CalibrationRecord['comparisons']) =>
  Number(seconds.toPrecision(3))

/** A calibration for people. */
export function calibrationText(record: CalibrationRecord, file: string): string {
  const { runs, alarms, alarmBound, resolution, spread, ceiling, comparisons, host } = record
  const { metric, connections, arrivals, processors } = comparisons
  const { median, p90 } = resolution
  return [
    '',
    `${alarms} of ${runs} comparisons of a server with itself raised an alarm: ` +
      `at most ${percent(alarmBound)} do, 19 times in 20`,
    '',
    `  comparisons ${metric} (percent), ${secondsTold(comparisons)} s, ` +
      `${connections} connections, ${arrivals}, processors: ${processors}`,
    `  resolution  half told within ${change(median)}, nine in ten within ${change(p90)}`,
    `  estimates   nine in ten off by at most ${change(spread)}`,
    `  ceiling     ${grouped(Math.round(ceiling.perSecond))} requests a second ` +
      `with one thread, ${ceiling.cpuUsPerRequest} µs of its time each`,
    `  host        ${host.cpu} × ${host.cores}, kernel ${host.kernel}, Node ${host.node}`,
    `  kept in     ${file}`,
    ''
  ].join('\n')
}

/** What a calibration says to a verdict, on one line. */
export function calibrationLine(known: Known): string {
  if ('because' in known) return known.because
  const { alarms, runs, alarmBound, resolution, at, comparisons } = known.record
  return (
    `${alarms} of ${runs} false alarms (at most ${percent(alarmBound)}), ` +
    `resolves ${change(resolution.p90)} in ${secondsTold(comparisons)} s, ${at.slice(0, 10)}`
  )
}
