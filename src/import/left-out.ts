/** The file, beside the scenarios, that says what of a document is not asked about. */
export const leftOutFile = 'left-out.md'

/** A text of a document as Markdown shows it, in one line. */
const plain = (text: string) =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>|]/g, (mark) => `\\${mark}`)

type Left = {
  clauses: readonly object[]
  /** How many there are. */
  operations: number
  /** How often something is left out, by why. */
  left: ReadonlyMap<string, number>
  /** The clauses among it, by why. */
  leftAt: ReadonlyMap<string, string[]>
}

/** What is not asked about, by why, with how often and which clauses it would have been. */
export function leftOutText(file: string, { clauses, operations, left, leftAt }: Left): string {
  const sum = [...left.values()].reduce((total, times) => total + times, 0)
  const reasons = [...left].sort(([, one], [, other]) => other - one)
  const parts = reasons.map(([why, times]) => {
    const places = (leftAt.get(why) ?? []).map((place) => `- ${plain(place)}\n`)
    return `## ${times} × ${plain(why)}\n${places.length > 0 ? `\n${places.join('')}` : ''}`
  })
  const head =
    `# What is not asked of ${plain(file)}\n\n` +
    `${clauses.length} clauses of ${operations} operations are asked about; ${sum} more are not.\n`
  return [head, ...parts].join('\n')
}
