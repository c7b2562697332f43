import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createReading, isJson } from '../../report/ndjson.ts'
import type { Report, VerdictRecord } from '../../report/record.ts'
import { judge } from '../../verdict/judge.ts'
import { inLight } from '../../verdict/presupposition.ts'
import { exit, Failure } from '../failure.ts'
import { isOwnFile, linesOf, tooLong } from './saved-lines.ts'

/** The results file of a run that is named by it, by its folder, or by its name below `out`. */
export function resultsFile(run: string, out: string): string {
  if (existsSync(run) && statSync(run).isFile()) return run
  const places = [join(run, 'results.ndjson'), join(out, run, 'results.ndjson')]
  // Whoever names the folder that runs were written to means the last of them.
  const file = [...places, join(run, 'latest', 'results.ndjson')].find(isOwnFile)
  if (file) return file
  throw new Failure(`there is no run at ${places.join(' or ')}`)
}

/** A verdict under today's rules, drawn anew from the evidence beside it. */
function judgedAgain(verdict: VerdictRecord): VerdictRecord {
  return { ...verdict, ...judge(verdict.evidence, verdict) }
}

/**
 * A saved run, its verdicts judged again and held against what they presuppose. It is read line by
 * line, nothing it names is looked for, and nothing of it is carried out. Throws an Error where it
 * is no run.
 */
export function readRun(file: string): Report {
  const reading = createReading(file, judgedAgain)
  for (const { text, ended } of linesOf(file)) {
    if (text === undefined) reading.lose(tooLong)
    else if (ended || isJson(text)) reading.take(text)
  }
  const report = reading.report()
  return { ...report, verdicts: inLight(report.verdicts) }
}

/** How many verdicts the footer of a run has counted that are not there. */
export function missingIn({ verdicts, footer }: Report): number {
  const counted = Object.values(footer?.counts ?? {}).reduce((sum, count) => sum + count, 0)
  return Math.max(0, counted - verdicts.length)
}

/** The exit code of a run of which verdicts are missing: those that are here may prove a fail. */
export function brokenExit(judged: number): number {
  return judged === 1 ? 1 : exit.fault
}
