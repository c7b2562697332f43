import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { line, parse } from '../../report/ndjson.ts'
import type { Report, ResultRecord } from '../../report/record.ts'
import type { Failure } from '../failure.ts'
import { openLines } from './line-file.ts'
import { createRunFolder } from './run-folder.ts'

/** A run's folder, written while the run goes on. */
export type Journal = {
  folder: string
  /**
   * Appends one line to results.ndjson; it is in the file when this returns. Where the file takes
   * no more, this one and those that follow are only held in memory.
   */
  write: (record: ResultRecord) => void
  /** The report so far, from what is in the file and what it did not take. */
  read: () => Report
  /** Why the file takes no more; undefined while it does. */
  failure: () => Failure | undefined
  close: () => void
}

/**
 * Begins a run's folder below `out` and points `latest` at it. `onFailure` is called once, when the
 * file takes no more.
 */
export function createJournal(
  out: string,
  startedAt: string,
  onFailure: () => void = () => {}
): Journal {
  const folder = createRunFolder(out, startedAt)
  const file = join(folder, 'results.ndjson')
  const results = openLines(file)
  const unwritten: string[] = []
  let failure: Failure | undefined
  return {
    folder,
    write(record) {
      const text = line(record)
      try {
        if (failure === undefined) return results.append(text)
      } catch (cause) {
        failure = cause as Failure
        onFailure()
      }
      unwritten.push(text)
    },
    read: () => parse(`${readFileSync(file, 'utf8')}${unwritten.join('')}`, file),
    failure: () => failure,
    close: results.close
  }
}
