import { join } from 'node:path'
import { annotations } from '../../report/annotations.ts'
import { csvParts } from '../../report/csv.ts'
import { ctrf } from '../../report/ctrf.ts'
import { gitlab } from '../../report/gitlab.ts'
import { html } from '../../report/html.ts'
import { jsonParts } from '../../report/json.ts'
import { junitParts } from '../../report/junit.ts'
import { markdown } from '../../report/markdown.ts'
import type { Report } from '../../report/record.ts'
import { sarif } from '../../report/sarif.ts'
import type { Format } from '../flags/formats.ts'
import { writeWhole } from './whole-file.ts'

/** A file of a run: its name, and its text in parts, of which one need not hold all. */
type Writer = { file: string; parts: (report: Report) => Iterable<string> }

const writers = {
  html: { file: 'report.html', parts: (report) => [html(report)] },
  junit: { file: 'junit.xml', parts: junitParts },
  markdown: { file: 'summary.md', parts: (report) => [markdown(report)] },
  json: { file: 'report.json', parts: jsonParts },
  ctrf: { file: 'ctrf.json', parts: (report) => [ctrf(report)] },
  sarif: { file: 'report.sarif', parts: (report) => [sarif(report)] },
  github: { file: 'annotations.txt', parts: (report) => [annotations(report)] },
  gitlab: { file: 'gl-code-quality.json', parts: (report) => [gitlab(report)] },
  csv: { file: 'metrics.csv', parts: csvParts }
} satisfies Record<Format, Writer>

/** The names of the files that some formats are written to. */
export function filesOf(wanted: readonly Format[]): string[] {
  return wanted.map((name) => writers[name].file)
}

/** Writes a run's files into its folder; throws a Failure at the first that cannot be written. */
export function writeFormats(folder: string, report: Report, wanted: readonly Format[]): void {
  for (const name of wanted) {
    const { file, parts } = writers[name]
    writeWhole(join(folder, file), parts(report))
  }
}
