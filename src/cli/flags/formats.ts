import { join } from 'node:path'
import { annotations } from '../../report/annotations.ts'
import { ctrf } from '../../report/ctrf.ts'
import { gitlab } from '../../report/gitlab.ts'
import { html } from '../../report/html.ts'
import { jsonParts } from '../../report/json.ts'
import { junitParts } from '../../report/junit.ts'
import { markdown } from '../../report/markdown.ts'
import type { Report } from '../../report/record.ts'
import { sarif } from '../../report/sarif.ts'
import { type ReporterName, reporterNames } from '../../scenario/config.ts'
import { writeWhole } from '../saved/whole-file.ts'

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
  gitlab: { file: 'gl-code-quality.json', parts: (report) => [gitlab(report)] }
} satisfies Record<ReporterName, Writer>

/** The name of one of them, as `--reporter` takes it. */
export type Format = ReporterName

/** Every format a run can be rendered in, beside its results.ndjson. */
export const formats: readonly Format[] = reporterNames

/** Those that are written where nobody names any; the others are for one CI system each. */
export const usualFormats: readonly Format[] = ['html', 'junit', 'markdown', 'json']

/** The names of the files that some formats are written to. */
export function filesOf(wanted: readonly Format[]): string[] {
  return wanted.map((name) => writers[name].file)
}

/** Reads a `--reporter` list, such as `junit,markdown`. */
export function asFormats(given: string[]): Format[] {
  const names = given.flatMap((list) => list.split(','))
  for (const name of names) {
    if (name in writers) continue
    throw new Error(`--reporter ${name} is not known; there are ${formats.join(', ')}`)
  }
  return names as Format[]
}

/** The flag for the files that a run is rendered to. */
export const reporterFlag = {
  type: 'string',
  array: true,
  default: [...usualFormats] as string[],
  coerce: asFormats,
  describe: `Files to write beside results.ndjson: ${formats.join(', ')}`
} as const

/** Writes a run's files into its folder; throws a Failure at the first that cannot be written. */
export function writeFormats(folder: string, report: Report, wanted: readonly Format[]): void {
  for (const name of wanted) {
    const { file, parts } = writers[name]
    writeWhole(join(folder, file), parts(report))
  }
}
