import { clausesOf, parseLimits } from './limits-file.ts'
import { cellText } from './markdown.ts'
import { isLimitsFile, type Published, type PublishedReader, readOverlay } from './published.ts'
import { readApiCommons, readSla4oai, readWellKnown } from './published-rates.ts'

export type { Published } from './published.ts'

/** In the order in which they are tried: the first that knows a file reads it. */
const readers: readonly PublishedReader[] = [
  readOverlay,
  readSla4oai,
  readWellKnown,
  readApiCommons
]

/** The cells of a row of a table; a bar that is escaped ends none. */
const cellsOf = (row: string) =>
  row
    .replace(/^\|\s*|\s*\|\s*$/g, '')
    .split(/(?<=(?:^|[^\\])(?:\\\\)*)\s*\|\s*/)
    .map(cellText)

/** Reads the table that `publish` writes for a documentation. */
function readTable(text: string): Published | undefined {
  const [, subject] = /^# Limits of (.*)$/m.exec(text) ?? []
  if (subject === undefined) return
  let section = ''
  const clauses: object[] = []
  for (const line of text.split(/\r?\n/)) {
    const [, heading] = /^## (.*)$/.exec(line) ?? []
    if (heading !== undefined) section = cellText(heading)
    const cells = /^\| (?!---|limit \|)/.test(line) ? cellsOf(line) : []
    if (cells.length !== 5) continue
    const [id, plan, documented] = cells as [string, string, string]
    const where = section === 'limits' ? {} : { section }
    clauses.push({
      ...{ id: id.replace(/^`|`$/g, ''), kind: 'limit', documented },
      ...(plan && { plan }),
      ...where
    })
  }
  return clauses.length > 0 ? { subject: cellText(subject), clauses, lost: [] } : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/**
 * The clauses of a file that somebody published, in whichever of the formats of `publish`;
 * undefined where it is of none. Throws an Error that names the file, the field and the fix where
 * it is of ours and broken.
 */
export function publishedIn(text: string, file: string): Published | undefined {
  const json = parsed(text)
  if (isLimitsFile(json)) {
    const limits = parseLimits(text, file)
    return { subject: limits.subject, clauses: clausesOf(limits), lost: [] }
  }
  for (const read of readers) {
    const found = json === undefined ? undefined : read(json)
    if (found !== undefined) return found
  }
  return json === undefined ? readTable(text) : undefined
}

/** The same; throws an Error that says what a file may be where it is none of those. */
export function readPublished(text: string, file: string): Published {
  const found = publishedIn(text, file)
  if (found !== undefined) return found
  throw new Error(
    `${file} is none of what is published of limits: limits.json, an OpenAPI Overlay with ` +
      'x-limits, /.well-known/limits, API Commons rate limits, SLA4OAI, or the table limits.md'
  )
}
