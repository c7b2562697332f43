import { existsSync, readFileSync } from 'node:fs'
import { historyHtml } from '../../report/history-html.ts'
import { readHistory } from '../../report/history-record.ts'
import { historyText } from '../../report/history-text.ts'
import { historyOf } from '../../verdict/history.ts'
import { type PairMetric, pairMetrics } from '../../verdict/pair-metric.ts'
import type { Command } from '../command.ts'
import { Failure, orFail } from '../failure.ts'
import { openFile } from '../saved/out-folder.ts'
import { writeWhole } from '../saved/whole-file.ts'

type Options = { file: string; metric?: PairMetric; html?: string; json: boolean }

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
      .option('html', { type: 'string', describe: 'File to draw it in' })
      .option('json', { type: 'boolean', default: false, describe: 'One JSON document on stdout' })
      .example('$0 history perf/history.ndjson', 'every build, and the level it brought')
      .example('$0 history perf/history.ndjson --metric p99 --html history.html', 'the tail, drawn')
      .epilogue('Exit codes: 0, or 64 when there is no such history.') as never,
  async handler({ file, metric, html, json }) {
    if (!existsSync(file)) {
      throw new Failure(
        `there is no history at ${file}: \`plimsoll compare --history ${file}\`, with ` +
          '--a-name and --b-name, begins one'
      )
    }
    if (html !== undefined) openFile(html, '--html')
    const entries = await orFail(() => readHistory(readFileSync(file, 'utf8'), file))
    const found = historyOf(entries, metric ?? entries.at(-1)?.metric ?? 'p50')
    process.stdout.write(json ? `${JSON.stringify(found)}\n` : historyText(found))
    if (html !== undefined) writeWhole(html, historyHtml(found))
  }
}
