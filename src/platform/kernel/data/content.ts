import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { digestOf } from './digest.ts'

/** An object whose bytes are not what its row says, and what is wrong with them. */
export type LostObject = { bucket: string; key: string; file: string; because: string }

type Stored = { bucket: string; key: string; file: string; facts: string }

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
export function contentFindings(database: DatabaseSync): string[] {
  try {
    const sql = `PRAGMA integrity_check(${mostTold})`
    const rows = database.prepare(sql).all() as { integrity_check: string }[]
    const told = rows.map(({ integrity_check: text }) => text.replaceAll(/\s+/g, ' '))
    const broken = told.filter((text) => text !== 'ok')
    return [...broken, ...(broken.length === 0 ? recordFindings(database) : [])].map(
      (text) => `platform.db: ${text}`
    )
  } catch (error) {
    return [`platform.db: ${(error as Error).message}`]
  }
}

/** The columns whose text is JSON, by name. */
const jsonColumns = ['record', 'facts', 'settings', 'address']

function recordFindings(database: DatabaseSync): string[] {
  return unreadable(database).flatMap(({ table, condition }) => {
    const sql = `SELECT count(*) AS count FROM ${table} WHERE ${condition}`
    const { count } = database.prepare(sql).get() as { count: number }
    return count === 0 ? [] : [`${count} rows of ${table} cannot be read`]
  })
}

/** What is true of rows that cannot be read, by table: text that was JSON and is not. */
export function unreadable(database: DatabaseSync): { table: string; condition: string }[] {
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

/** Objects whose files are gone or not as long as they were; or, if asked for, other bytes. */
export function lostObjects(
  database: DatabaseSync,
  { folder, withDigests = false }: { folder: string; withDigests?: boolean }
): LostObject[] {
  if (!tablesOf(database).includes('stored_object')) return []
  const rows = database.prepare('SELECT * FROM stored_object').all() as Stored[]
  return rows.flatMap(({ bucket, key, file, facts }) => {
    const { size, etag } = JSON.parse(facts) as { size: number; etag: string }
    const place = join(folder, 'objects', file)
    const bytes = statSync(place, { throwIfNoEntry: false })?.size
    const lost = (because: string) => [{ bucket, key, file, because }]
    if (bytes === undefined) return lost('missing')
    if (bytes !== size) return lost(`${bytes} bytes long and not ${size}`)
    if (withDigests && digestOf(place, 'md5') !== etag) return lost('not what was put')
    return []
  })
}

/** Lost objects as sentences: all of them in one where their folder is gone. */
export function objectFindings(lost: readonly LostObject[], hasFolder: boolean): string[] {
  if (lost.length === 0) return []
  if (!hasFolder) return [`objects/ is missing, with the bytes of ${lost.length} objects`]
  const told = lost.slice(0, mostTold).map(toldOf)
  const more = lost.length - told.length
  return more === 0 ? told : [...told, `and ${more} objects more`]
}

/** A lost object as a sentence. */
export function toldOf({ bucket, key, file, because }: LostObject): string {
  return `objects/${file} is ${because}, with the bytes of the object ${key} in ${bucket}`
}
