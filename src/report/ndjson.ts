import * as v from 'valibot'
import type { Header, Report, ResultRecord } from './record.ts'
import { records } from './schema.ts'

/** One record as the line it is written as. */
export function line(record: ResultRecord): string {
  return `${JSON.stringify(record)}\n`
}

/**
 * The run in the text of a results file. A last line without its newline is what an interrupted run
 * leaves behind and is passed over; anything else that does not belong throws an Error that names
 * `file`, the line and what to do. Without a footer the report is incomplete.
 */
export function parse(text: string, file: string): Report {
  const lines = text.split('\n')
  const rest = lines.pop()!
  const read = lines.map((content, index) => readRecord(content, `${file}:${index + 1}`))
  const last = rest === '' ? undefined : readCut(rest)
  return assemble(last ? [...read, last] : read, file)
}

/** A whole line's record. */
function readRecord(content: string, place: string): ResultRecord {
  const broken = (what: string) =>
    new Error(`${place}: ${what}. Restore the line, or delete it to read the rest of the run.`)
  let value: { t?: unknown } | null
  try {
    value = JSON.parse(content)
  } catch (cause) {
    throw broken(`not JSON: ${(cause as Error).message}`)
  }
  const t = value?.t
  if (typeof t !== 'string' || !Object.hasOwn(records, t)) {
    const known = Object.keys(records).join(', ')
    throw broken(`"t" is ${JSON.stringify(t)}, and this version knows ${known}`)
  }
  const result = v.safeParse(records[t as ResultRecord['t']], value)
  if (result.success) return result.output
  const [issue] = result.issues
  throw broken(`${t}.${v.getDotPath(issue) ?? ''}: ${issue.message}`)
}

/** The record in a last line that lacks its newline; undefined when more than that is missing. */
function readCut(content: string): ResultRecord | undefined {
  try {
    return readRecord(content, '')
  } catch {
    return undefined
  }
}

function assemble(all: ResultRecord[], file: string): Report {
  const [header] = all
  if (header?.t !== 'header') {
    throw new Error(`${file}:1: no header. Give the results.ndjson of a run, from its first line.`)
  }
  const footer = all.find((record) => record.t === 'footer')
  const misplaced = all.findIndex(
    (record, index) => (record.t === 'header' && index > 0) || all[index - 1] === footer
  )
  if (footer && misplaced > 0) {
    throw new Error(
      `${file}:${misplaced + 1}: a ${all[misplaced]!.t} where the run has ended. ` +
        'Keep one run a file: move what follows into a file of its own.'
    )
  }
  return { header, ...sort(all), footer }
}
