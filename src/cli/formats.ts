import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { html } from '../report/html.ts'
import { json } from '../report/json.ts'
import { junit } from '../report/junit.ts'
import { markdown } from '../report/markdown.ts'
import type { Report } from '../report/record.ts'

const writers = {
  html: { file: 'report.html', render: html },
  junit: { file: 'junit.xml', render: junit },
  markdown: { file: 'summary.md', render: markdown },
  json: { file: 'report.json', render: json }
}

/** The name of one of them, as `--reporter` takes it. */
export type Format = keyof typeof writers

/** Every format a run can be rendered in, beside its results.ndjson. */
export const formats = Object.keys(writers) as Format[]

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

/** Writes a run's files into its folder. */
export function writeFormats(folder: string, report: Report, wanted: readonly Format[]): void {
  for (const name of wanted) {
    const { file, render } = writers[name]
    writeFileSync(join(folder, file), render(report))
  }
}
