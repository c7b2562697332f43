import type { DatabaseSync } from 'node:sqlite'

/** Enough to see what it is about. */
const mostTold = 5

/** The tables of a database by name. */
export function tablesOf(database: DatabaseSync): string[] {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
  return (database.prepare(sql).all() as { name: string }[]).map(({ name }) => name)
}

/**
 * What is wrong with the pages, the indexes and the records of a database, one sentence each. A
 * changed letter within a text is not seen.
 */
export function contentFindings(database: DatabaseSync, jsonColumns: readonly string[]): string[] {
  try {
    const sql = `PRAGMA integrity_check(${mostTold})`
    const rows = database.prepare(sql).all() as { integrity_check: string }[]
    const told = rows.map(({ integrity_check: text }) => text.replaceAll(/\s+/g, ' '))
    const broken = told.filter((text) => text !== 'ok')
    return [...broken, ...(broken.length === 0 ? recordFindings(database, jsonColumns) : [])].map(
      (text) => `platform.db: ${text}`
    )
  } catch (error) {
    return [`platform.db: ${(error as Error).message}`]
  }
}

function recordFindings(database: DatabaseSync, jsonColumns: readonly string[]): string[] {
  return unreadable(database, jsonColumns).flatMap(({ table, condition }) => {
    const sql = `SELECT count(*) AS count FROM ${table} WHERE ${condition}`
    const { count } = database.prepare(sql).get() as { count: number }
    return count === 0 ? [] : [`${count} rows of ${table} cannot be read`]
  })
}

/** What is true of rows that cannot be read, by table: text that was JSON and is not. */
export function unreadable(
  database: DatabaseSync,
  jsonColumns: readonly string[]
): { table: string; condition: string }[] {
  return tablesOf(database).flatMap((table) =>
    columnsOf(database, table)
      .filter((column) => jsonColumns.includes(column))
      .map((column) => ({ table, condition: `NOT json_valid(${column})` }))
  )
}

/** The columns of a table by name, in their order. */
export function columnsOf(database: DatabaseSync, table: string): string[] {
  const rows = database.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[]
  return rows.map(({ name }) => name)
}
