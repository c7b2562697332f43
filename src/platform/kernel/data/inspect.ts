import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync
} from 'node:fs'
import { join } from 'node:path'
import { Damage } from './damage.ts'
import { checkVersion } from './database.ts'
import { digestOf } from './digest.ts'
import type { Layout } from './layout.ts'
import { type Mark, markFile, readMark } from './mark.ts'
import { belongs, stampOn } from './stamp.ts'
import { readLog } from './write-ahead-log.ts'

/** The name of the database in a data folder, and of the log that belongs to it. */
export const databaseFile = 'platform.db'
/** The log holds what was written last, until the database is closed. */
export const logFile = `${databaseFile}-wal`

/** What a data folder is, by its files alone: the database has not been opened. */
export type Inspected = {
  /** Undefined where there is no mark that can be read. */
  mark?: Mark
  /** Whether there is anything of a platform in it. */
  isEmpty: boolean
  /** Whether there is a database to be opened. */
  hasDatabase: boolean
  /** Whether there is anything in its log. */
  hasLog: boolean
  /** What is wrong, one sentence each. */
  findings: string[]
}

/** Looks at a data folder and changes nothing. */
export function inspect(folder: string, { schema, filed }: Layout): Inspected {
  const folders = filed.map((of) => of.folder)
  const misplaced = misplacedIn(folder, folders)
  if (misplaced.length > 0) throw new Damage(folder, misplaced, { isBeyondRepair: true })
  const mark = readMark(folder)
  const bytes = sizeOf(join(folder, databaseFile))
  const logBytes = sizeOf(join(folder, logFile))
  const isFilled = (name: string) => existsSync(name) && readdirSync(name).length > 0
  const hasFiles = folders.some((name) => isFilled(join(folder, name)))
  const isEmpty = mark === undefined && bytes === undefined && !logBytes && !hasFiles
  const isBegun = mark !== 'unreadable' && mark?.state === 'making'
  const hasDatabase = bytes !== undefined && isDatabase(join(folder, databaseFile))
  if (hasDatabase) checkVersion(headOf(join(folder, databaseFile)).readUInt32BE(60), schema)
  const found: Inspected = {
    ...{ isEmpty, hasDatabase, hasLog: Boolean(logBytes), findings: [] },
    ...(mark !== 'unreadable' && { mark })
  }
  if (isEmpty || (isBegun && !hasDatabase)) return found
  const { findings } = found
  if (mark === 'unreadable') findings.push(`${markFile} cannot be read`)
  const told = databaseFinding(bytes, hasDatabase)
  if (told !== undefined) findings.push(told)
  if (mark === undefined || mark === 'unreadable') return found
  const log = join(folder, logFile)
  if (mark.state === 'open') findings.push(...logFindings(log, logBytes))
  if (hasDatabase && logBytes) findings.push(...strangerFindings(folder))
  if (mark.state === 'closed' && logBytes) findings.push(...leftFindings(log))
  if (
    mark.state === 'closed' &&
    hasDatabase &&
    digestOf(join(folder, databaseFile)) !== mark.digest
  )
    findings.push(`${databaseFile} is not what it was when the platform ended: bits of it changed`)
  return found
}

function misplacedIn(folder: string, folders: readonly string[]): string[] {
  const isFolder = (name: string) =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory()
  const files = [databaseFile, logFile, markFile]
  return [
    ...files.filter(isFolder).map((name) => `${name} is a folder, and was a file`),
    ...folders
      .filter((name) => isFolder(name) === false)
      .map((name) => `${name} is a file, and was a folder`)
  ]
}

function databaseFinding(bytes: number | undefined, hasDatabase: boolean): string | undefined {
  if (bytes === undefined) return `${databaseFile} is missing, with all settings, policies and data`
  if (bytes === 0) return `${databaseFile} is empty`
  return hasDatabase ? undefined : `${databaseFile} is no database: its first bytes changed`
}

function logFindings(file: string, bytes: number | undefined): string[] {
  if (!bytes)
    return [
      `${logFile} is ${bytes === 0 ? 'empty' : 'missing'}, which holds what was written last: ` +
        'the platform was killed'
    ]
  const log = readLog(readFileSync(file))
  if (log === undefined) return [`${logFile} cannot be read: its first bytes changed`]
  if (log.cutOff === 0) return []
  return [`${logFile} is damaged after ${log.transactions} transactions, with ${log.cutOff} behind`]
}

/**
 * What a log has that a database begins with: the database says that it is in use before the mark
 * does, and may have been brought up to date before.
 */
const mostBegun = 2

/**
 * A database that was closed has all of its log in it. One that is there belongs to another time,
 * as where database and mark were brought back from a copy, unless it was killed as it was begun.
 */
function leftFindings(file: string): string[] {
  const { transactions = 0 } = readLog(readFileSync(file)) ?? {}
  if (transactions <= mostBegun) return []
  return [
    `${logFile} is of another time: it holds ${transactions} transactions, and the platform that ` +
      `${databaseFile} and ${markFile} are of had ended`
  ]
}

/** A database and the log beside it may be of two folders, or of two times of one. */
function strangerFindings(folder: string): string[] {
  const stamp = stampOn(headOf(join(folder, databaseFile)))
  const log = readLog(readFileSync(join(folder, logFile)))
  if (stamp === undefined || log === undefined || belongs(stamp, log.stamps)) return []
  return [`${databaseFile} is not the one that ${logFile} was written for`]
}

function isDatabase(file: string): boolean {
  return headOf(file).toString('latin1', 0, 16) === 'SQLite format 3\0'
}

/** The first hundred bytes, which SQLite keeps for itself; what a shorter file lacks is 0. */
function headOf(file: string): Buffer {
  const head = Buffer.alloc(100)
  const opened = openSync(file, 'r')
  readSync(opened, head, 0, head.length, 0)
  closeSync(opened)
  return head
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size
}
