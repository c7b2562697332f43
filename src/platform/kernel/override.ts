/** Part of a value, as deep as one likes: what is given replaces what is there. */
export type Override<Whole> = Whole extends (...given: never[]) => unknown
  ? Whole
  : Whole extends object
    ? { [Key in keyof Whole]?: Override<Whole[Key]> }
    : Whole

/** The value with parts of it replaced; neither of the two is changed. */
export function override<Whole>(whole: Whole, replaced: Override<NoInfer<Whole>>): Whole {
  return merged(whole, replaced) as Whole
}

function merged(whole: unknown, replaced: unknown): unknown {
  if (!isPlain(whole) || !isPlain(replaced)) return replaced
  const parts = Object.entries(replaced).map(([key, part]) => [key, merged(whole[key], part)])
  return { ...whole, ...Object.fromEntries(parts) }
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
