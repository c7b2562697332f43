/** The middle of some numbers, and how far they reach. */
export type Spread = { median: number; lowest: number; highest: number }

export function spreadOf(numbers: readonly number[]): Spread {
  const sorted = numbers.toSorted((one, other) => one - other)
  const half = sorted.length >> 1
  const median = sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
  return { median, lowest: sorted[0]!, highest: sorted.at(-1)! }
}

/** A spread as text: `1.03 (0.98 … 1.07)`. */
export function spreadText({ median, lowest, highest }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${lowest.toFixed(digits)} … ${highest.toFixed(digits)})`
}
