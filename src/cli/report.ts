import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { CommandModule } from 'yargs'
import { coverageOf } from '../report/coverage.ts'
import { json } from '../report/json.ts'
import { parse } from '../report/ndjson.ts'
import type { Report } from '../report/record.ts'
import { terminal } from '../report/terminal.ts'
import { exitCode } from '../verdict/exit-code.ts'
import { judge } from '../verdict/judge.ts'
import { Failure, orFail } from './failure.ts'
import { asFormats, type Format, formats, writeFormats } from './formats.ts'
import { soakFile } from './soak-journal.ts'
import { reportSoak } from './soak-report.ts'

type Options = { run: string; out: string; reporter: Format[]; json: boolean }

/** `plimsoll report RUN`: renders a saved run, judged again from its evidence. */
export const report: CommandModule<object, Options> = {
  command: 'report [run]',
  describe: 'Render a saved run, judged again from its evidence',
  builder: (yargs) =>
    yargs
      .positional('run', {
        type: 'string',
        default: 'latest',
        describe: 'A run’s or a soak’s folder, its journal, or its name below --out'
      })
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
      .example(
        '$0 report reports/2026-11-21T10-00-00 --reporter junit',
        'one format of one run'
      ) as never,
  async handler({ run, out, reporter, json: asJson }) {
    const soak = soakFolder([run, join(out, run)])
    if (soak !== undefined) {
      process.exitCode = await reportSoak(soak, { json: asJson })
      return
    }
    const file = resultsFile(run, out)
    const saved = await orFail(() => parse(readFileSync(file, 'utf8'), file))
    const judged = judgeAgain(saved)
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

/** The same run under today's rules: every verdict is drawn anew from the evidence beside it. */
function judgeAgain(saved: Report): Report {
  const verdicts = saved.verdicts.map((verdict) => ({
    ...verdict,
    ...judge(verdict.evidence, verdict.clause, verdict.documented)
  }))
  if (!saved.footer) return { ...saved, verdicts }
  const { counts, coverage } = coverageOf(verdicts, saved.header.document.clauses)
  const { complete, exit: before, requireCoverage } = saved.footer
  const code = complete ? exitCode(counts, { coverage, requireCoverage }) : before
  return { ...saved, verdicts, footer: { ...saved.footer, counts, coverage, exit: code } }
}
