import { join } from 'node:path'
import type { SoakReport } from '../../report/soak-record.ts'
import { soakRun } from '../../report/soak-run.ts'
import { soakText } from '../../report/soak-text.ts'
import { type DriftConclusion, judgeDrift, mostVoid } from '../../verdict/judge-drift.ts'
import { exit, orFail } from '../failure.ts'
import type { Format } from '../flags/formats.ts'
import { leftOutText } from '../saved/saved-lines.ts'
import { readSoak, soakFile } from '../saved/soak-journal.ts'
import { writeWhole } from '../saved/whole-file.ts'

/** What a soak is rendered to, beside a report.json of its own. */
export const soakFormats: readonly Format[] = ['html', 'junit', 'markdown']

async function reportOf(folder: string): Promise<SoakReport> {
  const { header, stretches, count, lost } = await orFail(() => readSoak(folder))
  const judged = judgeDrift(stretches, header.terms)
  const lines = count + (lost?.count ?? 0)
  // What is lost is time as well, and without much of it every slope is steeper than it was.
  const isTooLittle = lost !== undefined && lost.count > mostVoid * lines
  const because = `${lost?.count} of ${lines} lines of its journal cannot be read`
  const conclusion = isTooLittle ? { ...judged, verdict: 'inconclusive' as const, because } : judged
  return { header, stretches, conclusion, ...(lost && { lost }) }
}

/** What the journal of a soak says, now that there is so much of it. */
export async function concludeSoak(folder: string): Promise<DriftConclusion> {
  return (await reportOf(folder)).conclusion
}

/** The exit code of what a soak says. */
export function soakExit({ verdict, voidShare }: DriftConclusion): number {
  if (verdict === 'drift') return 1
  if (verdict === 'stable') return 0
  return voidShare > mostVoid ? exit.fault : 2
}

/** The `--json` document; slopes, intervals and halves are in `unit`, ends without bound null. */
function documentOf({ header, conclusion, lost }: SoakReport) {
  const { url, startedAt, terms, agents } = header
  const metrics = Object.entries(conclusion.metrics).map(([name, drift]) => {
    return [name, { ...drift, unit: `${drift.unit}/hour` }]
  })
  return {
    ...conclusion,
    metrics: Object.fromEntries(metrics),
    url,
    startedAt,
    agents,
    ...terms,
    lost
  }
}

/**
 * Judges a soak by its journal, writes its reports, prints it, and returns the exit code of what it
 * says.
 */
export async function reportSoak(folder: string, options: { json: boolean }): Promise<number> {
  const report = await reportOf(folder)
  const { conclusion } = report
  process.stderr.write(leftOutText(report.lost, join(folder, soakFile)))
  const document = documentOf(report)
  const file = join(folder, 'report.html')
  process.stdout.write(`${options.json ? JSON.stringify(document) : soakText(conclusion)}\n`)
  // What renders reports is only loaded where there is to be one.
  const { writeFormats } = await import('../saved/report-files.ts')
  const code = soakExit(conclusion)
  writeFormats(folder, soakRun(report, { exit: code, folder }), soakFormats)
  writeWhole(join(folder, 'report.json'), `${JSON.stringify(document, null, 2)}\n`)
  if (!options.json) process.stdout.write(`  Report: ${file}\n`)
  return code
}
