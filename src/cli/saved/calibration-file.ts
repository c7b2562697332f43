import { readFileSync } from 'node:fs'
import { cpus, homedir, release } from 'node:os'
import { dirname, join } from 'node:path'
import type { Calibration } from '../../verdict/calibration.ts'
import type { PairMetric } from '../../verdict/pair-metric.ts'
import { makeFolder } from './out-folder.ts'
import { writeWhole } from './whole-file.ts'

/** What a calibration holds for; on another processor, kernel or Node it says nothing. */
export type Host = { cpu: string; cores: number; kernel: string; node: string }

/** A calibration as it is kept. */
export type CalibrationRecord = Calibration & {
  schema: 'plimsoll-calibration/1'
  at: string
  host: Host
  /** What every one of its comparisons was like. */
  comparisons: { metric: PairMetric; budget: number; seconds: number; connections: number }
  /** What one load thread made of a server that does nothing, and what that cost it. */
  ceiling: { perSecond: number; cpuUsPerRequest: number }
}

/** A calibration that may be relied on here and now, or why there is none. */
export type Known = { record: CalibrationRecord } | { because: string }

const dayMs = 86_400_000
const validDays = 30

/** The machine and the Node that measurements are made with. */
export function thisHost(): Host {
  const [first] = cpus()
  return {
    cpu: first?.model ?? 'unknown',
    cores: cpus().length,
    kernel: release(),
    node: process.version
  }
}

/** Where a calibration is kept unless a folder is named: the user's cache folder. */
export function calibrationFile(out?: string): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(out ?? join(cache, 'plimsoll'), 'calibration.json')
}

/** Keeps a calibration in a file, whose folder is made if need be. */
export function keepCalibration(file: string, record: CalibrationRecord): void {
  makeFolder(dirname(file))
  writeWhole(file, `${JSON.stringify(record, null, 2)}\n`)
}

/** What changed about the host since; empty when nothing did. */
function changesOf(before: Host, now: Host): string[] {
  const names = Object.keys(now) as (keyof Host)[]
  return names.filter((name) => before?.[name] !== now[name])
}

/** The calibration in a file, if it is of this host and not too old. */
export function knownCalibration(
  file: string,
  { host, nowMs }: { host: Host; nowMs: number }
): Known {
  let record: CalibrationRecord
  try {
    record = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { because: 'none for this host; `plimsoll calibrate` makes one' }
  }
  if (record?.schema !== 'plimsoll-calibration/1') return { because: `${file} is no calibration` }
  const changed = changesOf(record.host, host)
  if (changed.length > 0) {
    return { because: `made before a change of ${changed.join(' and ')}, so it no longer holds` }
  }
  const days = (nowMs - Date.parse(record.at)) / dayMs
  return days <= validDays ? { record } : { because: `${Math.floor(days)} days old, expired` }
}
