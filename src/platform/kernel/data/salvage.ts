import { DatabaseSync } from 'node:sqlite'
import { columnsOf, tablesOf, unreadable } from './content.ts'
import { migrate, transaction, versionOf } from './database.ts'
import type { Layout } from './layout.ts'

/**
 * Copies all rows that can still be read from a damaged database into a fresh one at `file`, and
 * tells what could not be. Throws when not even its list of tables can be read.
 */
export function salvage(
  damaged: DatabaseSync,
  file: string,
  { schema, jsonColumns }: Layout
): string[] {
  const fresh = new DatabaseSync(file)
  try {
    const tables = tablesOf(damaged)
    migrate(fresh, schema, versionOf(damaged))
    fresh.exec('PRAGMA foreign_keys = OFF')
    const derived = filledByTriggers(fresh)
    const known = tablesOf(fresh).filter((name) => !derived.has(name))
    return transaction(fresh, () => [
      ...known.flatMap((table) =>
        copied(damaged, fresh, { table, isThere: tables.includes(table) })
      ),
      ...spoiled(fresh, jsonColumns),
      ...strays(fresh)
    ])
  } finally {
    fresh.close()
  }
}

/** The tables that triggers fill by themselves as rows of others are copied. */
function filledByTriggers(database: DatabaseSync): Set<string> {
  const sql = "SELECT sql FROM sqlite_schema WHERE type = 'trigger'"
  const triggers = database.prepare(sql).all() as { sql: string }[]
  return new Set(
    triggers.flatMap(({ sql }) => [...sql.matchAll(/INSERT INTO (\w+)/g)].map(([, name]) => name!))
  )
}

/** Reads from the beginning up to the damage, and from the end down to it. */
function copied(
  damaged: DatabaseSync,
  fresh: DatabaseSync,
  { table, isThere }: { table: string; isThere: boolean }
): string[] {
  if (!isThere) return [`${table}: the whole table is lost`]
  const columns = columnsOf(fresh, table)
  const places = columns.map(() => '?').join(', ')
  const put = fresh.prepare(
    `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${places})`
  )
  let kept = 0
  const copy = (order: string): boolean => {
    try {
      const rows = damaged.prepare(`SELECT ${columns.join(', ')} FROM ${table} ${order}`)
      rows.setReturnArrays(true)
      for (const row of rows.iterate())
        kept += Number(put.run(...(row as unknown as string[])).changes)
      return true
    } catch {
      return false
    }
  }
  if (copy('NOT INDEXED')) return []
  const isByRow = damaged
    .prepare('PRAGMA table_list')
    .all()
    .some(({ name, wr }) => name === table && wr === 0)
  if (isByRow) copy('NOT INDEXED ORDER BY rowid DESC')
  return [`${table}: ${kept} rows are kept, and those between are lost`]
}

/** Takes out rows that are there and cannot be read. */
function spoiled(fresh: DatabaseSync, jsonColumns: readonly string[]): string[] {
  return unreadable(fresh, jsonColumns).flatMap(({ table, condition }) => {
    const { changes } = fresh.prepare(`DELETE FROM ${table} WHERE ${condition}`).run()
    return changes === 0 ? [] : [`${table}: ${changes} rows could not be read and are lost`]
  })
}

/** Takes out rows of what is lost itself, such as the policies of a zone. */
function strays(fresh: DatabaseSync): string[] {
  const found = fresh.prepare('PRAGMA foreign_key_check').all() as {
    table: string
    rowid: number
  }[]
  for (const { table, rowid } of found)
    if (rowid !== null) fresh.prepare(`DELETE FROM ${table} WHERE rowid = ?`).run(rowid)
  return [...Map.groupBy(found, ({ table }) => table)].map(
    ([table, rows]) => `${table}: ${rows.length} rows are lost with what they belonged to`
  )
}
