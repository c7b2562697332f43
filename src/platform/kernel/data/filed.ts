import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { tablesOf } from './content.ts'
import { digestOf } from './digest.ts'

/** A table each row of which stands for a file, whose name is in its column `file`. */
export type FiledTable = {
  table: string
  /** The folder of these files, below the data folder. */
  folder: string
  /** What a row stands for, in a sentence: `object`. */
  noun: string
  /** How long a row's file is, its MD5, and which of all it is, in words. */
  told(row: any): { size: number; md5: string; words: string }
}

/** A file whose bytes are not what its row says, and what is wrong with them. */
export type LostFile = { of: FiledTable; file: string; words: string; because: string }

/** Enough to see what it is about. */
const mostTold = 5

/** Files that are gone or not as long as they were; or, if asked for, of other bytes. */
export function lostFiles(
  database: DatabaseSync,
  filed: readonly FiledTable[],
  { folder, withDigests = false }: { folder: string; withDigests?: boolean }
): LostFile[] {
  return rowsOf(database, filed).flatMap(({ of, row }) => {
    const { size, md5, words } = of.told(row)
    const place = join(folder, of.folder, row.file)
    const bytes = statSync(place, { throwIfNoEntry: false })?.size
    const lost = (because: string) => [{ of, file: row.file, words, because }]
    if (bytes === undefined) return lost('missing')
    if (bytes !== size) return lost(`${bytes} bytes long and not ${size}`)
    if (withDigests && digestOf(place, 'md5') !== md5) return lost('not what was put')
    return []
  })
}

/** The rows of tables, as far as a database has them. */
function rowsOf(database: DatabaseSync, filed: readonly FiledTable[]) {
  const there = tablesOf(database)
  return filed
    .filter(({ table }) => there.includes(table))
    .flatMap((of) => {
      const rows = database.prepare(`SELECT * FROM ${of.table}`).all() as { file: string }[]
      return rows.map((row) => ({ of, row }))
    })
}

/** Lost files as sentences: all of a folder's in one where that is gone. */
export function lostFindings(lost: readonly LostFile[], folder: string): string[] {
  return [...Map.groupBy(lost, ({ of }) => of)].flatMap(([of, all]) => {
    const those = `${all.length} ${of.noun}s`
    if (!existsSync(join(folder, of.folder)))
      return [`${of.folder}/ is missing, with the bytes of ${those}`]
    const told = all.slice(0, mostTold).map(toldOf)
    const more = all.length - told.length
    return more === 0 ? told : [...told, `and ${more} ${of.noun}s more`]
  })
}

/** A lost file as a sentence. */
export function toldOf({ of, file, words, because }: LostFile): string {
  return `${of.folder}/${file} is ${because}, with the bytes of ${words}`
}

/** The files of a table's folder that no row of it names. */
export function namelessFiles(database: DatabaseSync, of: FiledTable, folder: string): string[] {
  const place = join(folder, of.folder)
  if (!existsSync(place)) return []
  const named = new Set(rowsOf(database, [of]).map(({ row }) => row.file))
  return readdirSync(place).filter((name) => !named.has(name))
}
