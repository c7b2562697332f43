/** What a pattern is made of, in as far as groups and references to them go. */
const parts = [
  ...[/\\k<(?<called>[^>]*)>/, /\\(?<nth>[1-9]\d*)/, /\\./, /\[(?:\\.|[^\]\\])*\]/],
  ...[/\(\?<(?<name>[^=!>][^>]*)>/, /(?<plain>\((?!\?))/]
]
const tokens = new RegExp(parts.map(({ source }) => source).join('|'), 'gsu')

/** How many groups of a pattern can be referred to. */
const groupsIn = (pattern: string) =>
  [...pattern.matchAll(tokens)].filter(({ groups }) => groups!.name ?? groups!.plain).length

/** A pattern as it stands behind another one with so many groups. */
function behind(pattern: string, groups: number): string {
  return pattern.replaceAll(tokens, (token, ...rest) => {
    const { called, nth, name } = rest.at(-1) as Record<string, string | undefined>
    if (nth !== undefined) return `\\${Number(nth) + groups}`
    if (called !== undefined) return `\\k<${called}_${groups}>`
    return name === undefined ? token : `(?<${name}_${groups}>`
  })
}

/** The pattern of texts that two patterns match, whose references stay what they are. */
export function patternOfBoth(one: string, other: string): string {
  if (one === other) return one
  return `^(?=[^]*?(?:${one}))(?=[^]*?(?:${behind(other, groupsIn(one))}))`
}
