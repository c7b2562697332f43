import { findings, type ReportFinding } from './findings.ts'
import { ownCases } from './junit.ts'
import { runHeadline } from './legend.ts'
import { oneLine, printable } from './printable.ts'
import type { Report } from './record.ts'

/** Annotations of one level that GitHub shows of one step. */
const mostShown = 10

/** A message of a workflow command, which may have lines. */
function message(text: string): string {
  return printable(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

/** A property of one. */
function property(text: string): string {
  return message(oneLine(text, 300)).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

function command({ verdict, level, place, story }: ReportFinding): string {
  const title = `title=${property(`${verdict.clause}: ${verdict.outcome}`)}`
  const at = place === undefined ? [] : [`file=${property(place.file)}`, `line=${place.line}`]
  return `::${level} ${[...at, title].join(',')}::${message(story)}`
}

/**
 * What is not well in a run as workflow commands of GitHub: printed by a step, they become
 * annotations of the document. As many as GitHub shows, and how many more there are.
 */
export function annotations(report: Report): string {
  const found = findings(report)
  const shown = (['error', 'warning'] as const).flatMap((level) =>
    found.filter((one) => one.level === level).slice(0, mostShown)
  )
  const left = found.length - shown.length
  const more = left > 0 ? ` (${left} more in the report)` : ''
  const { text } = runHeadline(report)
  const notice = `::notice title=Plimsoll::${message(`${text}${more}`)}`
  const ofRun = ownCases(report).map(({ name, message: text }) => {
    return `::error title=${property(name)}::${message(text)}`
  })
  return `${[...shown.map(command), ...ofRun, notice].join('\n')}\n`
}
