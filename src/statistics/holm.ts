/**
 * p-values adjusted for being looked at together, in the order given: calling those changed that
 * are at most α errs in any of them with a chance of at most α. Assumes nothing about how they
 * depend on each other. Source: Holm, Scand. J. Statist. 6 (1979).
 */
export function holm(ps: readonly number[]): number[] {
  const ascending = ps.map((p, index) => ({ p, index })).sort((one, other) => one.p - other.p)
  const adjusted = new Array<number>(ps.length)
  let floor = 0
  for (const [place, { p, index }] of ascending.entries()) {
    floor = Math.max(floor, Math.min(1, (ps.length - place) * p))
    adjusted[index] = floor
  }
  return adjusted
}
