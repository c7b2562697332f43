import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { cpus, homedir, release } from 'node:os'
import { dirname, join } from 'node:path'
import type { Calibration } from '../../verdict/calibration.ts'
import { makeFolder } from './out-folder.ts'
import { writeWhole } from './whole-file.ts'

/** What a calibration holds for; on another processor, kernel or Node it says nothing. */
export type Host = { cpu: string; cores: number; kernel: string; node: string }

/** What a comparison was made under, beside its time: another one tells other things apart. */
export type ComparisonConditions = {
  /** All that gates, each with its budget in percent: `p50=5,p99=15`. */
  metric: string
  connections: number
  pipelining: number
  /** `closed`, `open`, or so many a second. */
  arrivals: string
  transport: string
  /** Load threads, or agents. */
  senders: string
  /** As `placed` in `--json`; each of them where comparisons differed. */
  processors: string
  /** A hash of it: what it holds may be secret. */
  request: string
  /** How long each start was asked at least before it was measured; absent without a demand. */
  warmUp?: string
}

/** A calibration as it is kept. */
export type CalibrationRecord = Calibration & {
  schema: typeof schema
  at: string
  host: Host
  /** What every one of its comparisons was like. */
  comparisons: ComparisonConditions & { seconds: number }
  /** The command whose target it was made of; absent where that was a server that does nothing. */
  target?: string
  /** What one load thread made of a server that does nothing, and what that cost it. */
  ceiling: { perSecond: number; cpuUsPerRequest: number }
}

/** A calibration that may be relied on here and now, or why there is none. */
export type Known = { record: CalibrationRecord } | { because: string }

/** The form of the file; the first one did not hold all conditions. */
export const schema = 'plimsoll-calibration/2'

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

/**
 * Where a calibration is kept unless a folder is named: the user's cache folder, one file for this
 * host and one for each target.
 */
export function calibrationFile(out?: string, target?: string): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const name = target === undefined ? '' : `-${hash('sha256', target).slice(0, 12)}`
  return join(out ?? join(cache, 'plimsoll'), `calibration${name}.json`)
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

const makesOne = (flags: string) =>
  `\`plimsoll calibrate${flags}\` makes one, which tells how often verdicts here are wrong`

/** Why a calibration of something else says nothing of a target's verdicts. */
function otherwise(record: CalibrationRecord, target: string): string | undefined {
  if (record.target === target) return
  return `none of this target; ${makesOne(' --a URL --a-cmd …')}`
}

/** Why a calibration made under other conditions says nothing of a verdict under these. */
function elsewise(
  { comparisons }: CalibrationRecord,
  here: ComparisonConditions
): string | undefined {
  const { seconds, ...made } = comparisons
  const all = Object.keys({ ...made, ...here }) as (keyof ComparisonConditions)[]
  const names = all.filter((name) => made[name] !== here[name])
  if (names.length === 0) return
  const told = names.map((name) =>
    name === 'request'
      ? 'another request'
      : `${name} ${made[name] ?? 'none'} (here ${here[name] ?? 'none'})`
  )
  return (
    `made with ${told.join(', ')}, so it says nothing of this; ` +
    '`plimsoll calibrate --a URL --a-cmd …` with the flags of this one makes one that does'
  )
}

/**
 * The calibration in a file, if it is of this host, of the target and under the conditions given,
 * and not too old.
 */
export function knownCalibration(
  file: string,
  given: { host: Host; nowMs: number; target?: string; conditions?: ComparisonConditions }
): Known {
  const { host, nowMs, target, conditions } = given
  let record: CalibrationRecord
  try {
    record = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    const flags = target === undefined ? '' : ' --a URL --a-cmd …'
    const whose = target === undefined ? 'for this host' : 'of this target'
    return { because: `none ${whose}; ${makesOne(flags)}` }
  }
  if (record?.schema !== schema) return { because: `${file} is no calibration of this version` }
  const changed = changesOf(record.host, host)
  if (changed.length > 0) {
    return { because: `made before a change of ${changed.join(' and ')}, so it no longer holds` }
  }
  const other = target === undefined ? undefined : otherwise(record, target)
  if (other !== undefined) return { because: other }
  const under = conditions && elsewise(record, conditions)
  if (under !== undefined) return { because: under }
  const days = (nowMs - Date.parse(record.at)) / dayMs
  return days <= validDays ? { record } : { because: `${Math.floor(days)} days old, expired` }
}
