import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inUse } from './damage.ts'
import { isOwned } from './database.ts'
import { databaseFile, logFile } from './inspect.ts'
import { markFile } from './mark.ts'

/**
 * Moves all that a platform keeps in a folder into a new one within it, and returns that; undefined
 * where there is nothing. `folders` are those of its parts; what others keep in the folder stays.
 */
export function moveAside(folder: string, folders: readonly string[]): string | undefined {
  const kept = [databaseFile, logFile, markFile, ...folders]
  const present = kept.filter((name) => existsSync(join(folder, name)))
  if (present.length === 0) return undefined
  if (isOwned(join(folder, databaseFile))) throw inUse(folder)
  const place = freshPlace(folder, 'before-new')
  // The mark goes last: as long as it is there, what has gone is missing.
  for (const name of present.filter((name) => name !== markFile)) move(folder, place, name)
  if (present.includes(markFile)) move(folder, place, markFile)
  return place
}

/** Copies the database, its log and the mark into a new folder within, and returns that. */
export function copyAside(folder: string): string {
  const place = freshPlace(folder, 'before-repair')
  for (const name of [databaseFile, logFile, markFile])
    if (existsSync(join(folder, name))) cpSync(join(folder, name), join(place, name))
  return place
}

/** Moves what is below a folder into another one, which gets the folders above it. */
export function move(folder: string, place: string, name: string) {
  if (!existsSync(join(folder, name))) return
  const target = join(place, name)
  mkdirSync(dirname(target), { recursive: true })
  renameSync(join(folder, name), target)
}

function freshPlace(folder: string, name: string): string {
  const stamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)
  for (let number = 0; ; number++) {
    const place = join(folder, `${name}-${stamp}${number === 0 ? '' : `-${number}`}`)
    if (existsSync(place)) continue
    mkdirSync(place)
    return place
  }
}
