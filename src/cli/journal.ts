import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { line, parse } from '../report/ndjson.ts'
import type { Report, ResultRecord } from '../report/record.ts'
import { createRunFolder } from './run-folder.ts'

/** A run's folder, written while the run goes on. */
export type Journal = {
  folder: string
  /** Appends one line to results.ndjson; it is in the file when this returns. */
  write: (record: ResultRecord) => void
  /** The report so far, from what is in the file. */
  read: () => Report
  close: () => void
}

/** Begins a run's folder below `out` and points `latest` at it. */
export function createJournal(out: string, startedAt: string): Journal {
  const folder = createRunFolder(out, startedAt)
  const file = join(folder, 'results.ndjson')
  const results = openSync(file, 'a')
  return {
    folder,
    write: (record) => void writeSync(results, line(record)),
    read: () => parse(readFileSync(file, 'utf8'), file),
    close: () => closeSync(results)
  }
}
