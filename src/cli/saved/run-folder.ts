import { randomUUID } from 'node:crypto'
import { lstatSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type Format, usualFormats } from '../flags/formats.ts'
import { openFolder } from './out-folder.ts'
import { cannotWrite } from './whole-file.ts'

/** A run's folder, by a name no folder in `out` has yet. */
function makeFresh(out: string, startedAt: string): string {
  const name = startedAt.slice(0, 19).replaceAll(':', '-')
  for (let more = 1; ; more++) {
    const fresh = more === 1 ? name : `${name}-${more}`
    try {
      mkdirSync(join(out, fresh))
      return fresh
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw cannotWrite(join(out, fresh), cause)
    }
  }
}

/** What `latest` is called by the runs that make it: a link to the folder of one of them. */
const ourTarget = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(-\d+)?$/

/** Whether something else than the link of an earlier run is at a place. */
function isForeign(place: string): boolean {
  const there = lstatSync(place, { throwIfNoEntry: false })
  if (there === undefined) return false
  return !there.isSymbolicLink() || !ourTarget.test(readlinkSync(place))
}

/** Points `latest` at a run, in one step; returns why it does not, where it does not. */
function point(out: string, name: string): string | undefined {
  const latest = join(out, 'latest')
  if (isForeign(latest)) return `${latest} is not the link that runs make, so it stays as it is`
  const draft = join(out, `.latest-${randomUUID()}`)
  try {
    symlinkSync(name, draft)
    renameSync(draft, latest)
  } catch (cause) {
    rmSync(draft, { force: true })
    return `${latest} could not be made: ${(cause as Error).message}`
  }
}

/**
 * Makes a run's folder below `out`, points `latest` at it, and returns where it is. Nothing that is
 * there already is removed: a `latest` of somebody else's stays, and `note` is told.
 */
export function createRunFolder(
  out: string,
  startedAt: string,
  note: (text: string) => void = (text) => void process.stderr.write(`${text}\n`)
): string {
  openFolder(out)
  const name = makeFresh(out, startedAt)
  const folder = join(out, name)
  const because = point(out, name)
  if (because !== undefined) note(`${because}; this run is in ${folder}`)
  return folder
}

/** Where a person finds a run's report, or what was written in its place; '' without a folder. */
export function placeOf(
  folder: string | undefined,
  written: readonly Format[] = usualFormats
): string {
  if (folder === undefined) return ''
  if (written.includes('html')) return `  Report: ${join(folder, 'report.html')}\n`
  return `  Results: ${folder}\n`
}
