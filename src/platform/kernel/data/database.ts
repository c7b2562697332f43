import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** What brings a database from each version to the next, beginning with an empty one. */
export type Schema = readonly string[]

/**
 * Opens a database that this process owns until it is closed. The log is handed to the operating
 * system on every commit: a killed process loses nothing, only a power cut could.
 */
export function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE')
    database.exec('PRAGMA journal_mode = WAL')
    database.exec('PRAGMA synchronous = NORMAL')
    database.exec('PRAGMA foreign_keys = ON')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Whether another process has a database open, as far as a damaged one can be asked. */
export function isOwned(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found?.isFile() || found.size === 0) return false
  const database = new DatabaseSync(file)
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
    return false
  } catch (error) {
    return /locked/.test(String(error))
  } finally {
    database.close()
  }
}

/** Whether an error says that a database is not one, or not a whole one. */
export function isUnreadable(error: unknown): error is Error {
  return (
    error instanceof Error &&
    /malformed|not a database|disk I\/O error|unsupported file format/.test(error.message)
  )
}

/** Whether an error says that a database has no room to grow. */
export function isFull(error: unknown): boolean {
  return error instanceof Error && /database or disk is full/.test(error.message)
}

/** How many of the schema's versions a database has been brought through. */
export function versionOf(database: DatabaseSync): number {
  const row = database.prepare('PRAGMA user_version').get() as { user_version: number }
  return row.user_version
}

/** Throws when a database is of a version that only a later schema knows. */
export function checkVersion(version: number, schema: Schema) {
  if (version > schema.length)
    throw new Error(`the data has schema ${version}; this platform knows up to ${schema.length}`)
}

/** Brings a database up to a version of the schema, the latest unless said. */
export function migrate(database: DatabaseSync, schema: Schema, to = schema.length) {
  const from = versionOf(database)
  checkVersion(from, schema)
  transaction(database, () => {
    for (const missing of schema.slice(from, to)) database.exec(missing)
    database.exec(`PRAGMA user_version = ${to}`)
  })
}

/** Does all of the work or, when it throws, none of it. */
export function transaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // A disk that is full has ended it already, and that is what there is to tell.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
