import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { versions } from './schema.ts'

/** The platform's embedded database. Every call is done, and durable, when it returns. */
export type Store = {
  /** Runs a statement and returns how many rows it changed. */
  run(sql: string, ...values: SQLInputValue[]): number
  /** The first row, or undefined when there is none. */
  first<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[]
  /** Does all of the work or, when it throws, none of it. */
  transaction<Result>(work: () => Result): Result
  close(): void
}

/** Opens the database in memory, or in a folder that is made when it does not exist. */
export function openStore(folder?: string): Store {
  const database = new DatabaseSync(folder === undefined ? ':memory:' : fileIn(folder))
  try {
    prepare(database)
  } catch (error) {
    database.close()
    const isLocked = /locked/.test(String(error))
    throw isLocked ? new Error(`another platform is using the data folder ${folder}`) : error
  }

  const statements = new Map<string, StatementSync>()
  const statement = (sql: string) => {
    const known = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, known)
    return known
  }
  return {
    run: (sql, ...values) => Number(statement(sql).run(...values).changes),
    first: <Row>(sql: string, ...values: SQLInputValue[]) =>
      statement(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: SQLInputValue[]) => statement(sql).all(...values) as Row[],
    transaction: (work) => transaction(database, work),
    close: () => database.close()
  }
}

function fileIn(folder: string): string {
  mkdirSync(folder, { recursive: true })
  return join(folder, 'platform.db')
}

/**
 * One process owns a data folder, so the lock is held for good. The log is handed to the operating
 * system on every commit: a killed process loses nothing, only a power cut could.
 */
function prepare(database: DatabaseSync) {
  database.exec('PRAGMA locking_mode = EXCLUSIVE')
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('PRAGMA synchronous = NORMAL')
  database.exec('PRAGMA foreign_keys = ON')
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as {
    user_version: number
  }
  if (version > versions.length)
    throw new Error(`the data has schema ${version}; this platform knows up to ${versions.length}`)
  transaction(database, () => {
    for (const missing of versions.slice(version)) database.exec(missing)
    database.exec(`PRAGMA user_version = ${versions.length}`)
  })
}

function transaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
