import { legend } from '../report/legend.ts'
import { oneLine } from '../report/printable.ts'
import type { LimitsFile, PublishedClause } from './limits-file.ts'
import { limitsOf } from './rates.ts'

/** What Markdown would take for more than text, as in a link that a target made up. */
const marks = /[\\`*_[\]|~]/g

/** A text within a cell of a table, where it is nothing but text. */
export function cell(text: string): string {
  return oneLine(text, 400)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('://', '&#58;//')
    .replaceAll('www.', 'www&#46;')
    .replaceAll('@', '&#64;')
    .replace(marks, '\\$&')
}

/** The text of a cell, as it was before it was one. */
export function cellText(cell: string): string {
  return cell
    .replace(/\\([\\`*_[\]|~])/g, '$1')
    .replaceAll('&#64;', '@')
    .replaceAll('&#46;', '.')
    .replaceAll('&#58;', ':')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
}

/** An id is code, which has no way to say a mark within it. */
const named = (id: string) => (/^[\w.-]+$/.test(id) ? `\`${id}\`` : cell(id))

function row({ id, documented, plan, verified }: PublishedClause): string {
  const { mark } = legend[verified.verdict]
  const found = verified.observed ?? 'nothing was asked'
  const cells = [plan ?? '', documented, `${mark} ${verified.verdict}`, found].map(cell)
  return `| ${[named(id), ...cells].join(' | ')} |`
}

/** The limits of a file as a table for a documentation, by section, with what was found. */
export function markdown(file: LimitsFile): string {
  const { subject, verified } = file
  const bySection = Map.groupBy(limitsOf(file), ({ section }) => section || 'limits')
  const blocks = [...bySection].map(([section, limits]) =>
    [
      `## ${cell(section)}`,
      '',
      '| limit | plan | documented | verdict | found |',
      '| --- | --- | --- | --- | --- |',
      ...limits.map(row)
    ].join('\n')
  )
  const [day, run] = [verified.at.slice(0, 10), verified.run.slice(0, 12)]
  const when = `Verified ${day} by ${cell(verified.by)}, run ${cell(run)}.`
  const note = verified.complete ? when : `${when} The run did not reach its end.`
  return `${[`# Limits of ${cell(subject)}`, note, ...blocks].join('\n\n')}\n`
}
