/** Number of letters to insert, delete, replace or swap to turn one word into the other. */
function distance(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [above, letter] of [...one].entries()) {
    const next = [above + 1]
    for (const [left, wanted] of [...other].entries()) {
      const replaced = row[left]! + (letter === wanted ? 0 : 1)
      const isSwapped = letter === other[left - 1] && one[above - 1] === wanted
      const swapped = isSwapped ? before[left - 1]! + 1 : Infinity
      next.push(Math.min(replaced, swapped, row[left + 1]! + 1, next[left]! + 1))
    }
    before = row
    row = next
  }
  return row.at(-1)!
}

/**
 * The names most like the one asked for, best first, at most three; none where none is near, which
 * is where more than a third of its letters would have to change.
 */
export function nearest(asked: string, names: Iterable<string>): string[] {
  const most = Math.max(1, Math.floor(asked.length / 3))
  return [...names]
    .map((name) => {
      const parts = [name, ...name.split('/'), ...name.split('.')]
      return { name, far: Math.min(...parts.map((part) => distance(asked, part))) }
    })
    .filter(({ far }) => far <= most)
    .sort((one, other) => one.far - other.far)
    .slice(0, 3)
    .map(({ name }) => name)
}

/** The same as the end of a message: `; nearest: url, body`, or nothing. */
export function orNearest(asked: string, names: Iterable<string>): string {
  const found = nearest(asked, names)
  return found.length > 0 ? `; nearest: ${found.join(', ')}` : ''
}
