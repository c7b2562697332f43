import fc from 'fast-check'

/** Checks a property with the same generated values each time it is run. */
export function seeded<Values>(property: fc.IProperty<Values>, numRuns = 300): void {
  fc.assert(property, { seed: 4_096, numRuns })
}
