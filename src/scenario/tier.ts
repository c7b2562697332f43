/** How long a scenario takes: `quick` ones run by default, `full` adds minutes, `long` hours. */
export type Tier = 'quick' | 'full' | 'long'

/** From the quickest to the longest; each contains those before it. */
export const tiers: readonly Tier[] = ['quick', 'full', 'long']
