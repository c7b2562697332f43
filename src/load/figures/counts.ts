/** Sums records of numbers key by key; the keys come in order. */
export function sumCounts(parts: readonly Record<string, number>[]): Record<string, number> {
  const keys = [...new Set(parts.flatMap(Object.keys))].sort()
  const sum = (key: string) => parts.reduce((total, part) => total + (part[key] ?? 0), 0)
  return Object.fromEntries(keys.map((key) => [key, sum(key)]))
}

/** Kinds kept apart at most, since what a target says can be any number of things. */
const most = 10

/** Counts one of that kind; those beyond the first ten kinds together. */
export function countKind(kinds: Record<string, number>, kind: string): void {
  const isKept = Object.hasOwn(kinds, kind) || Object.keys(kinds).length < most
  const name = isKept ? kind : '(other)'
  kinds[name] = (kinds[name] ?? 0) + 1
}
