/** A letter that has no base in ASCII by the number of its character, so that it stays its own. */
const numbered = (letter: string) => ` u${letter.codePointAt(0)!.toString(16)} `

/**
 * A text as a part of an id: in lower case, of letters, digits and single dashes; may be empty.
 * `é` is `e`, and `取` is `u53d6`.
 */
export function slug(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\0-\x7f]/gu, (one) => (/[\p{L}\p{N}]/u.test(one) ? numbered(one) : '-'))
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** The id itself where nothing has it, else with the first number that makes it another. */
export function freeId(id: string, isTaken: (id: string) => boolean): string {
  if (!isTaken(id)) return id
  let n = 2
  while (isTaken(`${id}-${n}`)) n++
  return `${id}-${n}`
}

/** The ids it is given, of which each is another: the second of one is numbered. */
export function createIds(): (id: string) => string {
  const taken = new Set<string>()
  return (id) => {
    const own = freeId(id, (one) => taken.has(one))
    taken.add(own)
    return own
  }
}
