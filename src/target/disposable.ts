import type { Adapter } from './adapter.ts'
import type { Target } from './target.ts'

/**
 * An adapter that has zones to use up: its own where it makes them, else those of the target that a
 * person has given up by name. Every other zone is refused, since nothing would bring it back.
 */
export function withDisposable(
  adapter: Adapter,
  { zones, hosts, disposable = [] }: Pick<Target, 'zones' | 'hosts' | 'disposable'>
): Adapter {
  if (adapter.disposableZone) return adapter
  return {
    ...adapter,
    async disposableZone(name) {
      const id = zones[name]
      if (id === undefined) throw new Error(`the target has no zone "${name}"`)
      if (disposable.includes(name)) return { id, host: hosts[name] ?? '' }
      throw new Error(`"${name}" would be used up: allow it with --allow-irreversible ${name}`)
    }
  }
}

/** The target, with zones given up by name; throws an Error for a name that no zone has. */
export function givingUp(target: Target, names: readonly string[]): Target {
  const unknown = names.find((name) => !(name in target.zones))
  if (unknown === undefined) return { ...target, disposable: [...names] }
  const known = Object.keys(target.zones).join(', ') || 'none'
  throw new Error(`--allow-irreversible ${unknown}: the target names ${known}`)
}
