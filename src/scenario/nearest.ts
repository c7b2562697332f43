/** Number of letters to insert, delete or replace to turn one word into the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [above, letter] of [...one].entries()) {
    const next = [above + 1]
    for (const [left, wanted] of [...other].entries()) {
      const replaced = row[left]! + (letter === wanted ? 0 : 1)
      next.push(Math.min(replaced, row[left + 1]! + 1, next[left]! + 1))
    }
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
