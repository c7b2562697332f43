/** Sums records of numbers key by key; the keys come in order. */
export function sumCounts(parts: readonly Record<string, number>[]): Record<string, number> {
  const keys = [...new Set(parts.flatMap(Object.keys))].sort()
  const sum = (key: string) => parts.reduce((total, part) => total + (part[key] ?? 0), 0)
  return Object.fromEntries(keys.map((key) => [key, sum(key)]))
}
