import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** A name for a run begun at `startedAt` that no folder in `out` has yet. */
function freshName(out: string, startedAt: string): string {
  const name = startedAt.slice(0, 19).replaceAll(':', '-')
  let fresh = name
  for (let more = 2; existsSync(join(out, fresh)); more++) fresh = `${name}-${more}`
  return fresh
}

/** Makes a run's folder below `out`, points `latest` at it, and returns where it is. */
export function createRunFolder(out: string, startedAt: string): string {
  mkdirSync(out, { recursive: true })
  const name = freshName(out, startedAt)
  const folder = join(out, name)
  mkdirSync(folder)
  const latest = join(out, 'latest')
  rmSync(latest, { force: true, recursive: true })
  symlinkSync(name, latest)
  return folder
}
