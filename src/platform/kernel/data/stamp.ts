import type { DatabaseSync } from 'node:sqlite'

/**
 * What stands on the first page of a database: half of it says whose the database is, half how
 * often it was begun. So the file says by itself whether the log beside it is its own, of which it
 * may have any part; what is in their tables may be in either.
 */
export type Stamp = { owner: number; generation: number }

/** Where SQLite keeps a number of the application's own, on the first page. */
const stampAt = 68
const half = 0x1_0000

/** The stamp of a database with this identity, begun this often. */
export function stampOf({ identity, generation }: { identity: string; generation: number }): Stamp {
  return { owner: Number.parseInt(identity.slice(0, 4), 16), generation: generation % half }
}

/** The stamp on a first page; undefined on one from before there were any. */
export function stampOn(page: Buffer, offset = 0): Stamp | undefined {
  const number = page.readUInt32BE(offset + stampAt)
  return number === 0 ? undefined : { owner: Math.floor(number / half), generation: number % half }
}

/** Puts a stamp on a database; `none` takes it off. */
export function stamp(database: DatabaseSync, given: Stamp | 'none') {
  const number = given === 'none' ? 0 : given.owner * half + given.generation
  database.exec(`PRAGMA application_id = ${number | 0}`)
}

/** Whether a database with this stamp can be the one that a log with these was written on. */
export function belongs({ owner, generation }: Stamp, stamps: readonly Stamp[]): boolean {
  const [first, last] = [stamps[0], stamps.at(-1)]
  if (first === undefined || last === undefined) return true
  // It was as the log began, or has taken up to all of it; to begin is to count one more.
  const before = (first.generation - 1 + half) % half
  const span = (last.generation - before + half) % half
  return owner === first.owner && (generation - before + half) % half <= span
}
