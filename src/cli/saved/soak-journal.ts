import { closeSync, fsyncSync, openSync, readSync, statSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf } from '../../fault.ts'
import type { Lost } from '../../report/record.ts'
import {
  readSoakLine,
  type SoakHeader,
  type SoakRecord,
  soakLine
} from '../../report/soak-record.ts'
import { createStretches, type Stretch } from '../../verdict/stretch.ts'
import { openLines } from './line-file.ts'
import { createRunFolder } from './run-folder.ts'
import { createLoss, isOwnFile, linesOf, tooLong } from './saved-lines.ts'

/** The name of the journal in a soak's folder. */
export const soakFile = 'soak.ndjson'

/** A soak's journal, written while it goes on. */
export type SoakJournal = {
  folder: string
  /**
   * Appends one line; it is on the disk, and not only with the system, when this returns. Throws a
   * Failure, and leaves none of the line, where the disk does not take it.
   */
  write(record: SoakRecord): void
  close(): void
}

/** What a journal holds. */
export type SoakSoFar = {
  /** As it was begun, with all agents, and what was watched last. */
  header: SoakHeader
  /** Joined to a bounded number, whatever the length of the soak. */
  stretches: readonly Stretch[]
  /** Seconds recorded, and stretches they came in. */
  seconds: number
  count: number
  /** Lines that could not be read, each of which cost what it said; absent without any. */
  lost?: Lost
}

function appending(folder: string): SoakJournal {
  const lines = openLines(join(folder, soakFile), { durable: true })
  return { folder, write: (record) => lines.append(soakLine(record)), close: lines.close }
}

/** Makes what is new in a folder outlast a loss of power: its entry has to be on the disk too. */
function settle(folder: string): void {
  const entry = openSync(folder, 'r')
  fsyncSync(entry)
  closeSync(entry)
}

/** Begins a soak's folder below `out`. */
export function createSoakJournal(out: string, header: SoakHeader): SoakJournal {
  const folder = createRunFolder(out, header.startedAt)
  const journal = appending(folder)
  journal.write(header)
  settle(folder)
  settle(dirname(folder))
  return journal
}

/** No line of a journal is nearly as long as this. */
const longestLine = 1_048_576

/** Bytes of a journal up to the end of its last whole line; what is torn comes after them. */
function wholeBytes(file: string): number {
  const { size } = statSync(file)
  const tail = Buffer.alloc(Math.min(size, longestLine))
  const descriptor = openSync(file, 'r')
  readSync(descriptor, tail, { position: size - tail.length })
  closeSync(descriptor)
  return size - tail.length + tail.lastIndexOf('\n') + 1
}

/** Goes on with a journal; what a killed process left of a line is cut off first. */
export function resumeSoakJournal(folder: string): SoakJournal {
  const file = join(folder, soakFile)
  truncateSync(file, wholeBytes(file))
  return appending(folder)
}

/**
 * Reads a journal line by line, holding no more of it than is kept. A torn last line is none, as a
 * kill leaves one; any other line that is bad is lost, but for the first one, without which nobody
 * knows what the soak is of.
 */
export async function readSoak(folder: string): Promise<SoakSoFar> {
  const file = join(folder, soakFile)
  if (!isOwnFile(file)) throw new Error(`there is no soak at ${folder}`)
  const kept = createStretches()
  const loss = createLoss()
  let header: SoakHeader | undefined
  let [seconds, count, number] = [0, 0, 0]
  for (const { text, ended } of linesOf(file)) {
    if (!ended) break
    number++
    try {
      if (text === undefined) throw new Error(tooLong)
      const record = readSoakLine(text)
      if (number === 1 && record.t === 'soak') header = record
      if (header === undefined) break
      if (record.t === 'soak' && number > 1) throw new SecondSoak()
      if (record.t === 'resumed' && record.agents) header = sentToo(header, record.agents)
      if (record.t === 'resumed' && record.watched) header = { ...header, watched: record.watched }
      if (record.t !== 'stretch') continue
      kept.add(record)
      seconds += record.seconds
      count++
    } catch (cause) {
      if (header === undefined || cause instanceof SecondSoak) {
        throw new Error(`${file}:${number}: ${messageOf(cause)}`)
      }
      loss.lose(number, messageOf(cause))
    }
  }
  if (header === undefined) throw new Error(`${file} does not begin with what the soak is of`)
  return { header, stretches: kept.all(), seconds, count, lost: loss.lost() }
}

/** A header that also names those agents; one that went on is named once. */
function sentToo(header: SoakHeader, agents: NonNullable<SoakHeader['agents']>): SoakHeader {
  const byId = new Map([...(header.agents ?? []), ...agents].map((agent) => [agent.id, agent]))
  return { ...header, agents: [...byId.values()] }
}

/** Whose stretches those that follow are would be a guess. */
class SecondSoak extends Error {
  override message = 'a second soak: keep one a journal'
}
