import * as v from 'valibot'
import { readJson } from './json-line.ts'
import { oneLine } from './printable.ts'
import type { Header, Report, ResultRecord, VerdictRecord } from './record.ts'
import { records } from './schema.ts'
import { thinning } from './thinning.ts'

/** One record as the line it is written as. */
export function line(record: ResultRecord): string {
  return `${JSON.stringify(record)}\n`
}

/**
 * Why a record could not be read again once it is written, as one with a number that JSON does not
 * know; undefined for one that can.
 */
export function unreadable(record: ResultRecord): string | undefined {
  try {
    readRecord(line(record))
    return undefined
  } catch (cause) {
    return told(cause)
  }
}

/** A results file while it is read, line after line. */
export type ReportReader = {
  /** Takes the next line; what cannot be read costs that line, which is then named. */
  take: (content: string) => void
  /** Passes the next line over, and says why. */
  lose: (because: string) => void
  /** The run in the lines so far; without a footer it is incomplete. */
  report: () => Report
}

/** Lost lines that are named; of more there is only a count. */
const mostNamed = 20

/** A message about a line, which may quote it: short, and safe for a terminal. */
const told = (cause: unknown) => oneLine((cause as Error).message, 300)

/** Takes in the records of a run, one after the other. */
function createCollection(judged: (verdict: VerdictRecord) => VerdictRecord) {
  const inventory: NonNullable<Report['inventory']> = []
  const plan: NonNullable<Report['plan']> = []
  const probes = new Map<string, number>()
  const thinned = thinning()
  const windows: NonNullable<Report['windows']> = []
  const events: NonNullable<Report['events']> = []
  const run: Omit<Report, 'header' | 'probes'> & { header?: Header } = {
    ...{ verdicts: [], metrics: [], histograms: [] }
  }
  const listed = {
    ...{ clause: inventory, scenario: plan, metric: run.metrics, histogram: run.histograms },
    ...{ window: windows, event: events }
  }
  return {
    run,
    keep(record: ResultRecord) {
      if (record.t === 'header') run.header = record
      else if (record.t === 'footer') run.footer = record
      else if (record.t === 'verdict') run.verdicts.push(thinned(judged(record)))
      else if (record.t === 'probe') {
        probes.set(record.clause, (probes.get(record.clause) ?? 0) + 1)
      } else {
        const list: ResultRecord[] = listed[record.t]
        list.push(record)
      }
    },
    report(header: Header): Report {
      const contents = inventory.length > 0 && plan.length > 0 && { inventory, plan }
      const inTime = {
        ...(windows.length > 0 && { windows }),
        ...(events.length > 0 && { events })
      }
      return { ...run, header, probes: Object.fromEntries(probes), ...contents, ...inTime }
    }
  }
}

/**
 * Begins to read a results file. `judged` may draw a verdict anew; where it throws, that line is
 * lost. Throws an Error that names `file`, the line and what to do where the first line is no
 * header, or where one run follows another.
 */
export function createReading(
  file: string,
  judged: (verdict: VerdictRecord) => VerdictRecord = (verdict) => verdict
): ReportReader {
  const { run, keep, report } = createCollection(judged)
  const first: { line: number; because: string }[] = []
  let lost = 0
  let number = 0

  const lose = (because: string) => {
    if (first.length < mostNamed) first.push({ line: number, because })
    lost++
  }
  const demandOne = ({ t }: ResultRecord) => {
    if (t !== 'header' && run.footer === undefined) return
    throw new Error(
      `${file}:${number}: a ${t} within or after another run. ` +
        'Keep one run a file: move what follows into a file of its own.'
    )
  }
  return {
    take(content) {
      number++
      if (number === 1) return keep(readHeader(content, file))
      let record: ResultRecord
      try {
        record = readRecord(content)
      } catch (cause) {
        return lose(told(cause))
      }
      demandOne(record)
      try {
        keep(record)
      } catch (cause) {
        lose(`its evidence cannot be judged: ${told(cause)}`)
      }
    },
    lose(because) {
      number++
      if (run.header === undefined) throw noHeader(file)
      lose(because)
    },
    report() {
      if (run.header === undefined) throw noHeader(file)
      return { ...report(run.header), ...(lost > 0 && { lost: { count: lost, first } }) }
    }
  }
}

function noHeader(file: string): Error {
  const remedy = 'Give the results.ndjson of a run, from its first line.'
  return new Error(`${file}:1: no header. ${remedy}`)
}

/**
 * The run in the text of a results file. A last line without its newline is what an interrupted run
 * leaves behind and is passed over.
 */
export function parse(text: string, file: string): Report {
  const reading = createReading(file)
  let from = 0
  for (let to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
    reading.take(text.slice(from, to))
    from = to + 1
  }
  const rest = text.slice(from)
  if (isJson(rest)) reading.take(rest)
  return reading.report()
}

/** Whether a line that lacks its newline is whole for all that. */
export function isJson(content: string): boolean {
  try {
    JSON.parse(content)
    return true
  } catch {
    return false
  }
}

function readHeader(content: string, file: string): Header {
  try {
    const record = readRecord(content)
    if (record.t === 'header') return record
  } catch (cause) {
    const isHeader = /"t"\s*:\s*"header"/.test(content.slice(0, 1_000))
    if (isHeader) throw new Error(`${file}:1: ${told(cause)}. Restore the line.`)
  }
  throw noHeader(file)
}

/** The record in a whole line; throws an Error that names the field. */
function readRecord(content: string): ResultRecord {
  const value = readJson(content) as { t?: unknown } | null
  const t = value?.t
  if (typeof t !== 'string' || !Object.hasOwn(records, t)) {
    const known = Object.keys(records).join(', ')
    const given = typeof t === 'string' ? JSON.stringify(t.slice(0, 40)) : typeof t
    throw new Error(`"t" is ${given}, and this version knows ${known}`)
  }
  const result = v.safeParse(records[t as ResultRecord['t']], value)
  if (result.success) return result.output
  const [issue] = result.issues
  throw new Error(`${t}.${v.getDotPath(issue) ?? ''}: ${issue.message}`)
}
