import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeSync
} from 'node:fs'
import { join } from 'node:path'
import { line, parse } from '../report/ndjson.ts'
import type { Report, ResultRecord } from '../report/record.ts'

/** A run's folder, written while the run goes on. */
export type Journal = {
  folder: string
  /** Appends one line to results.ndjson; it is in the file when this returns. */
  write: (record: ResultRecord) => void
  /** The report so far, from what is in the file. */
  read: () => Report
  close: () => void
}

/** A name for a run begun at `startedAt` that no folder in `out` has yet. */
function freshName(out: string, startedAt: string): string {
  const name = startedAt.slice(0, 19).replaceAll(':', '-')
  let fresh = name
  for (let more = 2; existsSync(join(out, fresh)); more++) fresh = `${name}-${more}`
  return fresh
}

/** Begins a run's folder below `out` and points `latest` at it. */
export function createJournal(out: string, startedAt: string): Journal {
  mkdirSync(out, { recursive: true })
  const name = freshName(out, startedAt)
  const folder = join(out, name)
  mkdirSync(folder)
  const latest = join(out, 'latest')
  rmSync(latest, { force: true, recursive: true })
  symlinkSync(name, latest)
  const file = join(folder, 'results.ndjson')
  const results = openSync(file, 'a')
  return {
    folder,
    write: (record) => void writeSync(results, line(record)),
    read: () => parse(readFileSync(file, 'utf8'), file),
    close: () => closeSync(results)
  }
}
