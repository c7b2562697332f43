import { statSync } from 'node:fs'
import { readHistory } from '../../report/history-record.ts'
import { historyText, shiftText } from '../../report/history-text.ts'
import { change } from '../../report/quantity.ts'
import { type History, historyOf } from '../../verdict/history.ts'
import { type PairMetric, pairMetrics } from '../../verdict/pair-metric.ts'
import type { Command } from '../command.ts'
import { Failure, orFail } from '../failure.ts'
import { givenText } from '../given-file.ts'
import {
  beginCommand,
  type CommandConclusion,
  commandReport,
  keepCommand
} from '../saved/command-run.ts'
import { openFile, openFolder } from '../saved/out-folder.ts'
import { placeOf } from '../saved/run-folder.ts'
import { writeWhole } from '../saved/whole-file.ts'

type Options = { file: string; metric?: PairMetric; html?: string; out?: string; json: boolean }

/** `plimsoll history FILE`: what comparisons of each build with the one before it add up to. */
export const command: Command<Options> = {
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'The history' })
      .option('metric', {
        choices: Object.keys(pairMetrics) as PairMetric[],
        defaultDescription: 'what the last comparison was about',
        describe: 'What to follow'
      })
      .option('out', { type: 'string', describe: 'Folder for its report' })
      .option('html', { type: 'string', describe: 'File for the page of its report alone' })
      .option('json', { type: 'boolean', default: false, describe: 'One JSON document on stdout' })
      .example('$0 history perf/history.ndjson', 'every build, and the level it brought')
      .example('$0 history perf/history.ndjson --metric p99 --out reports', 'the tail, drawn')
      .epilogue(
        'Exit codes: 0, also where it holds no build yet; 64 when there is no such history.'
      ) as never,
  async handler({ file, metric, html, out, json }) {
    insistOnFile(file)
    if (html !== undefined) openFile(html, '--html')
    if (out !== undefined) openFolder(out)
    const run = beginCommand(file, { out })
    const entries = await orFail(() => readHistory(givenText(file, file), file))
    const found = historyOf(entries, metric ?? entries.at(-1)?.metric ?? 'p50')
    const text = entries.length > 0 ? historyText(found) : `\nNo build yet: ${beginning(file)}\n`
    const concluded = [concludedFrom(found, file)]
    await keepCommand(run, concluded, 0)
    if (html !== undefined) {
      const report = await import('../../report/html.ts')
      writeWhole(html, report.html(commandReport(run, concluded, 0)))
    }
    process.stdout.write(json ? `${JSON.stringify(found)}\n` : `${text}${placeOf(out)}`)
  }
}

const beginning = (file: string) =>
  `\`plimsoll compare --history ${file}\`, with --a-name and --b-name, begins it with the first ` +
  'comparison that is decided; one that is not needs more --time, or a quieter machine.'

/** Ends the command where there is no file of that name. */
function insistOnFile(file: string): void {
  const there = statSync(file, { throwIfNoEntry: false })
  if (there === undefined) throw new Failure(`there is no history at ${file}: ${beginning(file)}`)
  if (there.isDirectory()) {
    throw new Failure(`${file} is a folder: name the file that \`compare --history\` added to`)
  }
}

/** What a history comes to, for a report: it decides nothing, and where it shifts is to be seen. */
function concludedFrom(found: History, file: string): CommandConclusion {
  const { metric, points, shifts } = found
  const last = points.at(-1)
  const builds = `${points.length} ${points.length === 1 ? 'build' : 'builds'}`
  const observed = last
    ? `${metric} ${change(last.level)} over ${builds}`
    : `no build was measured by ${metric}`
  const said = shifts.slice(-mostSaid).map(shiftText).join('; ')
  return {
    clause: file,
    documented: 'nothing: a history shows where to look, and decides nothing',
    conclusion: { outcome: 'observed', observed, because: said || 'no lasting shift' },
    found: { of: 'history', ...found }
  }
}

/** Shifts that are told in words; all of them are drawn. */
const mostSaid = 20
