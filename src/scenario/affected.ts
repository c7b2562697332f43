import { dirname, relative, sep } from 'node:path'
import type { Found } from './found.ts'

/** Words of the command line that name scenarios: an id, or the beginning of some. */
const isNamed = (id: string, names: readonly string[]) =>
  names.length === 0 || names.some((name) => id === name || id.startsWith(`${name}/`))

/**
 * Ids of the scenarios, among those that are named, which a changed file may have changed: its own,
 * those below the folder of a part they share, all for what stands beside them all. Undefined for a
 * file that is none of theirs.
 */
export function affectedBy(
  file: string,
  { folder, found, names }: { folder: string; found: readonly Found[]; names: readonly string[] }
): string[] | undefined {
  const place = relative(folder, file).split(sep)
  if (place.some((part) => part === 'node_modules' || part.startsWith('.'))) return
  if (!/\.([mc]?[jt]s|json|md)$/.test(file)) return
  const own = found.find((one) => one.file === file)
  const near = dirname(place.join('/'))
  const touched = own
    ? [own.id]
    : found.map(({ id }) => id).filter((id) => near === '.' || id.startsWith(`${near}/`))
  return touched.filter((id) => isNamed(id, names))
}
