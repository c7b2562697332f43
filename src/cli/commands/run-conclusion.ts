import { join } from 'node:path'
import { json } from '../../report/json.ts'
import type { Report } from '../../report/record.ts'
import { terminal } from '../../report/terminal.ts'
import type { Failure } from '../failure.ts'
import { type Format, writeFormats } from '../flags/formats.ts'
import type { Journal } from '../saved/journal.ts'

/** Prints a run and writes its files; what cannot be written is told after all that was found. */
export function concludeRun(
  journal: Journal,
  { json: asJson, reporter }: { json: boolean; reporter: Format[] }
): number {
  const report = journal.read()
  let failure = journal.failure()
  try {
    if (failure === undefined) writeFormats(journal.folder, report, reporter)
  } catch (cause) {
    failure = cause as Failure
  }
  journal.close()
  process.stdout.write(
    asJson ? json(report) : summary(report, failure ? undefined : journal.folder)
  )
  if (failure) throw failure
  return report.footer!.exit
}

function summary(report: Report, folder?: string): string {
  const place = folder === undefined ? '' : `  Report: ${join(folder, 'report.html')}\n`
  return `\n${terminal(report, { colour: process.stdout.hasColors?.() ?? false })}\n${place}`
}
