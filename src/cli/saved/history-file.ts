import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Comparison } from '../../engine/comparison.ts'
import { historyLine, readHistory } from '../../report/history-record.ts'
import { oneLine } from '../../report/printable.ts'
import type { HistoryEntry } from '../../verdict/history.ts'
import type { PairMetric } from '../../verdict/pair-metric.ts'
import { toldInterval } from '../../verdict/pair-ratios.ts'
import { givenText } from '../given-file.ts'
import { thisHost } from './calibration-file.ts'
import { openLines } from './line-file.ts'
import { makeFolder } from './out-folder.ts'

/**
 * What a comparison adds to a history; undefined when it came to no conclusion, or had too few
 * blocks for an interval of the metric it was about.
 */
export function entryOf(
  { conclusion, plan }: Comparison,
  names: { a: string; b: string; metric: PairMetric; at: string }
): HistoryEntry | undefined {
  if (conclusion === undefined || plan === undefined || conclusion.verdict === 'continue') return
  const metrics = Object.entries(conclusion.metrics).flatMap(([name, { ratio, interval }]) => {
    return toldInterval(interval) ? [[name, { ratio, interval }] as const] : []
  })
  if (metrics.every(([name]) => name !== names.metric)) return
  const { cpu, cores } = thisHost()
  return {
    schema: 'plimsoll-history/1',
    ...names,
    verdict: conclusion.verdict,
    metrics: Object.fromEntries(metrics),
    confidence: 1 - plan.looks.level,
    host: `${cpu} × ${cores}`
  }
}

/** Makes sure that a file which is there is a history; throws an Error that says why it is not. */
export function insistOnHistory(file: string): void {
  if (existsSync(file)) readHistory(givenText(`--history ${file}`, file), file)
}

/**
 * Adds a comparison to a history, or returns why it was not: one that was not decided says nothing
 * of its builds that others could be held against.
 */
export function remembered(
  file: string,
  comparison: Comparison,
  names: Parameters<typeof entryOf>[1]
): string | undefined {
  const { ended, because } = comparison
  if (ended !== 'decided') return `the comparison was not decided: ${oneLine(because, 300)}`
  const entry = entryOf(comparison, names)
  if (entry === undefined) return `${names.metric} has no interval yet`
  addToHistory(file, entry)
  return undefined
}

/** Appends an entry to a history, whose folder is made if need be. Throws a Failure. */
export function addToHistory(file: string, entry: HistoryEntry): void {
  makeFolder(dirname(file))
  const history = openLines(file)
  try {
    history.append(historyLine(entry))
  } finally {
    history.close()
  }
}
