import { type Target, tablesOf } from './target.ts'

/**
 * The target, with what may be used up given by names in that table of its own; throws an Error for
 * a name that is not in it.
 */
export function givingUp(
  target: Target,
  { names, table }: { names: readonly string[]; table: string | undefined }
): Target {
  const known = Object.keys((table !== undefined && tablesOf(target)[table]) || {})
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return { ...target, disposable: [...names] }
  const told = known.join(', ') || 'none'
  throw new Error(`--allow-irreversible ${unknown}: the target names ${told}`)
}
