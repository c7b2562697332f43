import { json } from '../../report/json.ts'
import type { Report } from '../../report/record.ts'
import { terminal } from '../../report/terminal.ts'
import type { Failure } from '../failure.ts'
import type { Format } from '../flags/formats.ts'
import type { Journal } from '../saved/journal.ts'
import { writeFormats } from '../saved/report-files.ts'
import { placeOf } from '../saved/run-folder.ts'

/** Prints a run and writes its files; what cannot be written is told after all that was found. */
export function concludeRun(
  journal: Journal,
  { json: asJson, reporter }: { json: boolean; reporter: Format[] }
): number {
  return concludeJournal(journal, reporter, (report, folder) =>
    asJson ? json(report) : summary(report, reporter, folder)
  )
}

/** Writes a run's files, then prints `text` of it, which is told the folder if all are there. */
export function concludeJournal(
  journal: Journal,
  reporter: readonly Format[],
  text: (report: Report, folder?: string) => string
): number {
  const report = journal.read()
  let failure = journal.failure()
  try {
    if (failure === undefined) writeFormats(journal.folder, report, reporter)
  } catch (cause) {
    failure = cause as Failure
  }
  journal.close()
  process.stdout.write(text(report, failure ? undefined : journal.folder))
  if (failure) throw failure
  return report.footer!.exit
}

function summary(report: Report, reporter: readonly Format[], folder?: string): string {
  const colour = process.stdout.hasColors?.() ?? false
  return `\n${terminal(report, { colour })}\n${placeOf(folder, reporter)}`
}
