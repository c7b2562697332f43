import { legend } from '../report/legend.ts'
import { oneLine } from '../report/printable.ts'
import type { LimitsFile, PublishedClause } from './limits-file.ts'
import { limitsOf } from './rates.ts'

/** A text within a cell of a table. */
const cell = (text: string) => oneLine(text, 400).replaceAll('|', '\\|').replaceAll('<', '&lt;')

function row({ id, documented, plan, verified }: PublishedClause): string {
  const { mark } = legend[verified.verdict]
  const found = verified.observed ?? 'nothing was asked'
  const cells = [`\`${id}\``, plan ?? '', documented, `${mark} ${verified.verdict}`, found]
  return `| ${cells.map(cell).join(' | ')} |`
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
  const when = `Verified ${day} by ${verified.by}, run ${run}.`
  const note = verified.complete ? when : `${when} The run did not reach its end.`
  return `${[`# Limits of ${cell(subject)}`, note, ...blocks].join('\n\n')}\n`
}
