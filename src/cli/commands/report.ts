import { basename, dirname, join } from 'node:path'
import { jsonParts } from '../../report/json.ts'
import { oneLine } from '../../report/printable.ts'
import { dayOf, type ExpectationSource, type Report } from '../../report/record.ts'
import { terminal } from '../../report/terminal.ts'
import { expected } from '../../verdict/expectation.ts'
import type { Command } from '../command.ts'
import { exit, orFail } from '../failure.ts'
import { type AcceptFlags, acceptFlags, demandAccepting, demandRun } from '../flags/accept-flags.ts'
import { demandFile, type ExpectationFlags, expectationFlags } from '../flags/expectation-flags.ts'
import { type Format, reporterFlag } from '../flags/formats.ts'
import { type Contents, contentsIn } from '../saved/contents.ts'
import { type Held, readExpectations } from '../saved/expectation-file.ts'
import { footerOf } from '../saved/footer.ts'
import { openFolder } from '../saved/out-folder.ts'
import { demandOwnFiles } from '../saved/own-files.ts'
import { filesOf, writeFormats } from '../saved/report-files.ts'
import { placeOf } from '../saved/run-folder.ts'
import { isOwnFile, leftOutText } from '../saved/saved-lines.ts'
import { brokenExit, missingIn, readRun, resultsFile } from '../saved/saved-run.ts'
import { soakFile } from '../saved/soak-journal.ts'
import { acceptRun } from './accept-run.ts'
import { reportSoak, soakFormats } from './soak-report.ts'

type Options = { run: string; out: string; reporter: Format[]; json: boolean } & ExpectationFlags &
  AcceptFlags

/** `plimsoll report RUN`: renders a saved run, judged again from its evidence. */
export const command: Command<Options> = {
  builder: (yargs) =>
    acceptFlags(
      expectationFlags(
        yargs.positional('run', {
          type: 'string',
          default: 'latest',
          describe: 'A run’s or a soak’s folder, its journal, or its name below --out'
        })
      )
    )
      .option('out', { type: 'string', default: 'reports', describe: 'Folder of the runs' })
      .option('reporter', reporterFlag)
      .option('json', { type: 'boolean', default: false, describe: 'One JSON document on stdout' })
      .example('$0 report', 'the latest run')
      .example('$0 report reports/2026-11-21T10-00-00 --reporter junit', 'one format of one run')
      .example(
        '$0 report --write-expectations staging.expect.json --reason "until the move" ' +
          '--until 2027-03-31',
        'from now on what the latest run found is known'
      ) as never,
  async handler(options) {
    const { run, out, reporter, json: asJson } = options
    demandAccepting(options)
    const soak = soakFolder([run, join(out, run), join(run, 'latest')])
    if (soak !== undefined) {
      demandRun(options)
      openFolder(soak, 'the soak’s folder')
      demandOwnFiles(soak, [...filesOf(soakFormats), 'report.json'])
      process.exitCode = await reportSoak(soak, { json: asJson })
      return
    }
    const file = resultsFile(run, out)
    demandOwnFiles(dirname(file), filesOf(reporter))
    const saved = await orFail(() => readRun(file))
    if (reporter.length > 0) openFolder(dirname(file), 'the run’s folder')
    process.stderr.write(lostText(saved, file))
    const judged = concluded(saved, await expectationsFor(saved, options), options)
    const colour = process.stdout.hasColors?.() ?? false
    const text = asJson ? jsonParts(judged) : [`${terminal(judged, { colour })}\n`]
    for (const part of text) process.stdout.write(part)
    writeFormats(dirname(file), judged, reporter)
    if (!asJson && reporter.length > 0) process.stdout.write(placeOf(dirname(file), reporter))
    process.exitCode = judged.footer?.exit ?? exit.fault
  }
}

/** The soak's folder among some places, which may also name its journal. */
function soakFolder(places: readonly string[]): string | undefined {
  return places
    .map((place) => (basename(place) === soakFile ? dirname(place) : place))
    .find((place) => isOwnFile(join(place, soakFile)))
}

/** What could not be read of a run, in words; empty where all of it was. */
function lostText(saved: Report, file: string): string {
  const missing = missingIn(saved)
  const fewer =
    missing > 0 ? [`${file}: the footer counts ${missing} more verdicts than are here\n`] : []
  return [leftOutText(saved.lost, file), ...fewer].join('')
}

/** What a run is held against: the file just made of it or named, else what it was held to. */
async function expectationsFor(saved: Report, options: Options): Promise<Held | undefined> {
  const { header, verdicts } = saved
  const { expect, writeExpectations: accepting } = options
  if (accepting !== undefined) process.stderr.write(await acceptRun(accepting, verdicts, options))
  const named = accepting ?? expect
  const contents = contentsIn(saved)
  if (named !== undefined) {
    if (contents === undefined) {
      process.stderr.write(
        'The run is of an older version and does not tell what its document holds: ' +
          `the names in ${named} are not checked.\n`
      )
    }
    return readExpectations(named, options, contents)
  }
  if (header.expectations !== undefined) return heldBefore(header.expectations, contents, options)
  demandFile(options)
  return undefined
}

/** What a run was held against when it was made, as it tells itself. */
function heldBefore(
  source: ExpectationSource,
  contents: Contents | undefined,
  options: Options
): Held | undefined {
  const { file, entries } = source
  if (entries === undefined) {
    process.stderr.write(
      `The run was held against ${oneLine(file)}, and is of an older version that does not keep ` +
        'what a file said: --expect FILE holds it against one.\n'
    )
    return undefined
  }
  const strict = source.strict || options.strictExpectations
  const gate = options.gate ?? source.gate
  return { source: { ...source, strict, gate }, expectations: entries, contents }
}

/** A run whose verdicts are held against what was expected, and what it comes to by that. */
function concluded(
  judged: Report,
  held: Held | undefined,
  options: Pick<Options, 'advice'>
): Report {
  const { footer, plan } = judged
  const { advice = judged.header.advice } = options
  const header = { ...judged.header, advice, expectations: held?.source }
  const verdicts = held
    ? judged.verdicts.map((one) => expected(one, held.expectations, dayOf(header)))
    : judged.verdicts
  if (!footer) return { ...judged, header, verdicts }
  const { requireCoverage, complete, ms } = footer
  const ended = { header, verdicts, plan, requireCoverage, held, complete, ms }
  const judgedFooter = footerOf(ended)
  if (missingIn(judged) === 0) return { ...judged, header, verdicts, footer: judgedFooter }
  const broken = { complete: false, exit: brokenExit(judgedFooter.exit) }
  return { ...judged, header, verdicts, footer: { ...judgedFooter, ...broken } }
}
