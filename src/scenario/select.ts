import type { Found } from './found.ts'
import { type Tier, tiers } from './tier.ts'

/** The scenarios an id stands for: the one it names, or all whose id begins with it. */
export function select(found: readonly Found[], ids: readonly string[]): Found[] {
  if (ids.length === 0) return [...found]
  return found.filter(({ id }) => ids.some((asked) => id.startsWith(asked)))
}

/** The ids that stand for no scenario at all. */
export function unmatched(found: readonly Found[], ids: readonly string[]): string[] {
  return ids.filter((asked) => !found.some(({ id }) => id.startsWith(asked)))
}

/** The scenarios that a tier allows; one that was asked for by its whole id always is. */
export function withinTier<One extends Found & { scenario: { tier?: Tier } }>(
  found: readonly One[],
  tier: Tier,
  ids: readonly string[]
): One[] {
  return found.filter(
    ({ id, scenario }) =>
      ids.includes(id) || tiers.indexOf(scenario.tier ?? 'quick') <= tiers.indexOf(tier)
  )
}
