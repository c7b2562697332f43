import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { migrate, transaction } from './data/database.ts'
import { type Opened, openFolder } from './data/folder.ts'
import type { Layout } from './data/layout.ts'

/** The platform's embedded database. Every call is done, and durable, when it returns. */
export type Store = {
  /** Runs a statement and returns how many rows it changed. */
  run(sql: string, ...values: SQLInputValue[]): number
  /** The first row, or undefined when there is none. */
  first<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[]
  /** Does all of the work or, when it throws, none of it. */
  transaction<Result>(work: () => Result): Result
  /** What a repair of its folder could not keep, one sentence each. */
  losses: readonly string[]
  close(): void
}

/** What there is to say when a store is opened. */
export type Opening = Layout & {
  /** Fills a store in which there is nothing, all of it or none. */
  seed?: (store: Store) => void
  /** Whether a damaged folder is to be repaired. */
  isRepaired?: boolean
}

/**
 * Opens the database in memory, or in a folder that is made when it does not exist. A folder that
 * is damaged is a `Damage`.
 */
export function openStore(folder: string | undefined, opening: Opening): Store {
  const { seed, ...given } = opening
  const opened = folder === undefined ? openMemory(given) : openFolder(folder, given)
  const store = storeIn(opened)
  try {
    opened.begin(() => seed?.(store))
    return store
  } catch (error) {
    opened.leave()
    throw error
  }
}

function openMemory({ schema }: Layout): Opened {
  const database = new DatabaseSync(':memory:')
  database.exec('PRAGMA foreign_keys = ON')
  migrate(database, schema)
  const begin = (first: () => void) => transaction(database, first)
  const close = () => database.close()
  return { database, begin, close, leave: close, losses: [] }
}

function storeIn({ database, close, losses }: Opened): Store {
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
    losses,
    close
  }
}
