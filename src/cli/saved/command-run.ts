import { join } from 'node:path'
import { line } from '../../report/ndjson.ts'
import type { Header, Report, VerdictRecord } from '../../report/record.ts'
import type { CommandEvidence } from '../../verdict/command-found.ts'
import { exit } from '../failure.ts'
import { usualFormats } from '../flags/formats.ts'
import { footerOf } from './footer.ts'
import { loadHeader } from './load-run.ts'
import { toldCommand } from './told-command.ts'
import { writeWhole } from './whole-file.ts'

/** A command whose findings are to be kept: where, when it began, and what it asks. */
export type CommandRun = { out?: string; header: Header; beganMs: number }

/** One thing that a command concluded: about what, against what, and what it rests on. */
export type CommandConclusion = { clause: string; documented: string } & Omit<
  CommandEvidence,
  'kind'
>

/** Begins to keep a command as a run without a document; `url` is what it asks. */
export function beginCommand(
  url: string,
  given: { out?: string; seed?: number; agents?: Header['agents']; tag?: Header['tags'] }
): CommandRun {
  const { out, seed = 1, agents, tag: tags } = given
  const command = toldCommand(process.argv.slice(2))
  const header = loadHeader({ url, seed, command, agents, tags })
  return { out, header, beganMs: performance.now() }
}

function verdictOf(
  { header, beganMs }: CommandRun,
  { clause, documented, conclusion, found }: CommandConclusion
): VerdictRecord {
  const evidence = { kind: 'command' as const, conclusion, found }
  const ms = Math.round(performance.now() - beganMs)
  const scenario = header.target.name
  return { t: 'verdict', scenario, clause, documented, ...conclusion, evidence, ms }
}

/** What a command found as a run; `exitCode` is that of the command. */
export function commandReport(
  run: CommandRun,
  concluded: readonly CommandConclusion[],
  exitCode: number
): Report & Required<Pick<Report, 'footer'>> {
  const { header, beganMs } = run
  const verdicts = concluded.map((one) => verdictOf(run, one))
  const ms = Math.round(performance.now() - beganMs)
  const complete = exitCode !== exit.interrupted
  const footer = { ...footerOf({ header, verdicts, complete, ms }), exit: exitCode }
  return { header, verdicts, metrics: [], histograms: [], probes: {}, footer }
}

/**
 * Writes what a command found as the files of a run into its folder: results.ndjson, which
 * `plimsoll report` reads, and every usual format. Nothing where no folder was named.
 */
export async function keepCommand(
  run: CommandRun,
  concluded: readonly CommandConclusion[],
  exitCode: number
): Promise<void> {
  const { out } = run
  if (out === undefined) return
  const report = commandReport(run, concluded, exitCode)
  const { header, verdicts, footer } = report
  writeWhole(join(out, 'results.ndjson'), [header, ...verdicts, footer].map(line))
  // What renders reports is only loaded where there is to be one.
  const { writeFormats } = await import('./report-files.ts')
  writeFormats(out, report, usualFormats)
}
