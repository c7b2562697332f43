/** A letter whose value is text, and that value right behind it, as curl's are often written. */
const glued = /^(-[Hmb])([^=].*)$/s

/**
 * The words of a command with such values apart: `-HAccept: a/b` is `-H` and `Accept: a/b`. yargs
 * would read a flag in each letter of it.
 */
export function unglued(words: readonly string[]): string[] {
  const end = words.indexOf('--')
  return words.flatMap((word, index) => {
    const [, letter, value] = glued.exec(word) ?? []
    if (letter === undefined || (end !== -1 && index > end)) return [word]
    return [letter, value!]
  })
}
