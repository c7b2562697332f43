import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { CommandModule } from 'yargs'
import { json } from '../report/json.ts'
import { parse } from '../report/ndjson.ts'
import { dayOf, type Header, type Report } from '../report/record.ts'
import { terminal } from '../report/terminal.ts'
import { expected } from '../verdict/expectation.ts'
import { judge } from '../verdict/judge.ts'
import { inLight } from '../verdict/presupposition.ts'
import { type AcceptFlags, acceptFlags, demandAccepting, demandRun } from './accept-flags.ts'
import { acceptRun } from './accept-run.ts'
import type { Document } from './document.ts'
import { type Held, openWhole, readExpectations, sha256Of } from './expectation-file.ts'
import { demandFile, type ExpectationFlags, expectationFlags } from './expectation-flags.ts'
import { Failure, orFail } from './failure.ts'
import { footerOf } from './footer.ts'
import { asFormats, type Format, formats, writeFormats } from './formats.ts'
import { soakFile } from './soak-journal.ts'
import { reportSoak } from './soak-report.ts'

type Options = { run: string; out: string; reporter: Format[]; json: boolean } & ExpectationFlags &
  AcceptFlags

/** `plimsoll report RUN`: renders a saved run, judged again from its evidence. */
export const report: CommandModule<object, Options> = {
  command: 'report [run]',
  describe: 'Render a saved run, judged again from its evidence',
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
      .option('reporter', {
        type: 'string',
        array: true,
        default: [...formats] as string[],
        coerce: asFormats,
        describe: `Files to write: ${formats.join(', ')}`
      })
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
    const soak = soakFolder([run, join(out, run)])
    if (soak !== undefined) {
      demandRun(options)
      process.exitCode = await reportSoak(soak, { json: asJson })
      return
    }
    const file = resultsFile(run, out)
    const saved = await orFail(() => parse(readFileSync(file, 'utf8'), file))
    const verdicts = judgedAgain(saved)
    const held = await expectationsFor({ ...saved, verdicts }, options)
    const judged = concluded({ ...saved, verdicts }, held)
    writeFormats(dirname(file), judged, reporter)
    const colour = process.stdout.hasColors?.() ?? false
    process.stdout.write(asJson ? json(judged) : `${terminal(judged, { colour })}\n`)
    process.exitCode = judged.footer?.exit ?? 3
  }
}

/** The soak's folder among some places, which may also name its journal. */
function soakFolder(places: readonly string[]): string | undefined {
  return places
    .map((place) => (basename(place) === soakFile ? dirname(place) : place))
    .find((place) => existsSync(join(place, soakFile)))
}

function resultsFile(run: string, out: string): string {
  const places = [run, join(run, 'results.ndjson'), join(out, run, 'results.ndjson')]
  const file = places.find((place) => existsSync(place) && statSync(place).isFile())
  if (file) return file
  throw new Failure(`there is no run at ${places.slice(1).join(' or ')}`)
}

/**
 * The verdicts of a run under today's rules: each is drawn anew from the evidence beside it, and
 * all are held against what they presuppose.
 */
function judgedAgain({ verdicts }: Report): Report['verdicts'] {
  const drawn = verdicts.map((verdict) => ({
    ...verdict,
    ...judge(verdict.evidence, verdict.clause, verdict.documented)
  }))
  return inLight(drawn)
}

/** What a run is held against: the file just made of it or named, else the one it was held to. */
async function expectationsFor(judged: Report, options: Options): Promise<Held | undefined> {
  const { header, verdicts } = judged
  const { expect, writeExpectations: accepting } = options
  if (accepting !== undefined) process.stderr.write(await acceptRun(accepting, verdicts, options))
  const named = accepting ?? expect
  if (named !== undefined) return readExpectations(named, options, await documentOf(header))
  if (header.expectations !== undefined) return expectationsOf(header, options)
  demandFile(options)
  return undefined
}

/** What a run was held against when it was made, where that is still at hand and as it was. */
async function expectationsOf(header: Header, options: Options): Promise<Held | undefined> {
  const { file, sha256, strict, gate } = header.expectations!
  const flags = {
    strictExpectations: strict || options.strictExpectations,
    gate: options.gate ?? gate
  }
  const now = existsSync(file) ? sha256Of(readFileSync(file, 'utf8')) : undefined
  if (now === sha256) return readExpectations(file, flags, await documentOf(header))
  const change = now ? 'is not as it was then' : 'is not here'
  process.stderr.write(
    `The run was held against ${file}, which ${change}: --expect FILE holds it against one.\n`
  )
  return undefined
}

/** The document of a run, where it is still at hand and as it was. */
async function documentOf({ flags = [], document }: Header): Promise<Document | undefined> {
  const at = flags.indexOf('--scenarios')
  try {
    const whole = await openWhole(at < 0 ? undefined : flags[at + 1])
    return whole.sha256 === document.sha256 ? whole : undefined
  } catch (cause) {
    // A saved run can be read anywhere, its scenarios are a luxury here.
    if (cause instanceof Failure) return undefined
    throw cause
  }
}

/** A run whose verdicts are held against what was expected, and what it comes to by that. */
function concluded(judged: Report, held: Held | undefined): Report {
  const { footer } = judged
  const header = { ...judged.header, expectations: held?.source }
  const verdicts = held
    ? judged.verdicts.map((one) => expected(one, held.expectations, dayOf(header)))
    : judged.verdicts
  if (!footer) return { ...judged, header, verdicts }
  const { requireCoverage, complete, ms } = footer
  const ended = { header, verdicts, requireCoverage, held, complete, ms }
  return { ...judged, header, verdicts, footer: footerOf(ended) }
}
