/** The names most like a given one, the most alike first: how many letters have to be changed. */
export function nearest(name: string, names: readonly string[], count = 3): string[] {
  return names
    .map((candidate) => ({ candidate, distance: distance(name, candidate) }))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, count)
    .map(({ candidate }) => candidate)
}

function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [above, letter] of [...from].entries()) {
    const next = [above + 1]
    for (const [left, other] of [...to].entries())
      next.push(
        Math.min(next[left]! + 1, row[left + 1]! + 1, row[left]! + Number(letter !== other))
      )
    row = next
  }
  return row[to.length]!
}
