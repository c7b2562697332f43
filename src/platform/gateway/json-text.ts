/**
 * The items of an array as the texts they were written in, so that what is only passed on is not
 * changed on the way. The text is known to be a JSON array.
 */
export function itemsOf(text: string): string[] {
  return [...parts(text)]
}

/**
 * The members of an object by name, each value as the text it was written in; of members with the
 * same name the last, as for `JSON.parse`. The text is known to be a JSON object.
 */
export function membersOf(text: string): Map<string, string> {
  const members = new Map<string, string>()
  for (const part of parts(text)) {
    const nameEnds = endOfString(part, 0) + 1
    const name: string = JSON.parse(part.slice(0, nameEnds))
    members.set(name, part.slice(part.indexOf(':', nameEnds) + 1).trim())
  }
  return members
}

/** What stands between the outermost brackets, parted at their commas. */
function* parts(text: string): Generator<string> {
  let depth = 0
  let begin = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') at = endOfString(text, at)
    else if (sign === '{' || sign === '[') {
      if (depth++ === 0) begin = at + 1
    } else if (sign === '}' || sign === ']') depth--
    const isEnd = depth === 0 && (sign === '}' || sign === ']')
    if (!isEnd && !(depth === 1 && sign === ',')) continue
    const part = text.slice(begin, at).trim()
    // Only what is empty has an empty part.
    if (part !== '') yield part
    begin = at + 1
  }
}

/** Where the string that begins at `start` has its closing quote. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text[end - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return end
  }
}
