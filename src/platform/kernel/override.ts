/** Part of a value, as deep as one likes: what is given replaces what is there. */
export type Override<Whole> = Whole extends (...given: never[]) => unknown
  ? Whole
  : Whole extends object
    ? { [Key in keyof Whole]?: Override<Whole[Key]> }
    : Whole

/** The value with the difference made; neither of the two is changed. */
export function override<Whole>(whole: Whole, difference: Override<Whole>): Whole {
  return merged(whole, difference) as Whole
}

function merged(whole: unknown, difference: unknown): unknown {
  if (!isPlain(whole) || !isPlain(difference)) return difference
  const parts = Object.entries(difference).map(([key, part]) => [key, merged(whole[key], part)])
  return { ...whole, ...Object.fromEntries(parts) }
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
