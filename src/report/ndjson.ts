import * as v from 'valibot'
import type { Report, ResultRecord } from './record.ts'
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
  if (!isJson(lines.at(-1)!)) lines.pop()
  return assemble(
    lines.map((content, index) => readRecord(content, `${file}:${index + 1}`)),
    file
  )
}

function isJson(content: string): boolean {
  try {
    JSON.parse(content)
    return true
  } catch {
    return false
  }
}

/** The record in a whole line; `place` is its file and number. */
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

function assemble(all: ResultRecord[], file: string): Report {
  const [header] = all
  if (header?.t !== 'header') {
    throw new Error(`${file}:1: no header. Give the results.ndjson of a run, from its first line.`)
  }
  const footer = all.find((record) => record.t === 'footer')
  const end = footer ? all.indexOf(footer) : all.length
  const stray = all.findIndex((record, at) => at > end || (at > 0 && record.t === 'header'))
  if (stray > 0) {
    throw new Error(
      `${file}:${stray + 1}: a ${all[stray]!.t} within or after another run. ` +
        'Keep one run a file: move what follows into a file of its own.'
    )
  }
  const verdicts = all.filter((record) => record.t === 'verdict')
  const metrics = all.filter((record) => record.t === 'metric')
  const histograms = all.filter((record) => record.t === 'histogram')
  return { header, verdicts, metrics, histograms, probes: countProbes(all), footer }
}

/** How many probes each clause took. */
function countProbes(all: ResultRecord[]): Report['probes'] {
  const probes = all.filter((record) => record.t === 'probe')
  const byClause = Map.groupBy(probes, (probe) => probe.clause)
  return Object.fromEntries([...byClause].map(([clause, those]) => [clause, those.length]))
}
