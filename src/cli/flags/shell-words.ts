/** One piece of a word: between quotes of each kind, after a backslash, or bare. */
const piece =
  /'([^']*)'|\$'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|\\(\r?\n)|\\(.)|([^\s'"\\$`;&|<>()])/sy

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', '0': '\0' }

/** What `$'…'` means by a backslash, as browsers write it: `\n`, `\x41`. */
function ansi(text: string): string {
  return text.replace(/\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|(.))/gis, (_, hex, unicode, other) => {
    if (other !== undefined) return escapes[other] ?? other
    return String.fromCodePoint(Number.parseInt(hex ?? unicode, 16))
  })
}

/**
 * The words of a command as a POSIX shell reads them, quotes and continued lines included. Throws
 * an Error for what a shell would fill in or act on, such as `$HOME` or a pipe, and for an open
 * quotation.
 */
export function shellWords(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < text.length; at = piece.lastIndex) {
    piece.lastIndex = at
    const found = piece.exec(text)
    if (found === null) {
      if (!/\s/.test(text[at]!)) throw new Error(unreadable(text, at))
      if (word !== undefined) words.push(word)
      word = undefined
      piece.lastIndex = at + 1
      continue
    }
    const [, single, dollar, double, lineEnd, escaped, bare] = found
    if (lineEnd !== undefined) continue
    if (double !== undefined && /(?<!\\)[$`]/.test(double)) throw new Error(unreadable(text, at))
    const said = dollar === undefined ? undefined : ansi(dollar)
    const within = double?.replace(/\\(\r?\n)/g, '').replace(/\\([$`"\\])/g, '$1')
    word = (word ?? '') + (single ?? said ?? within ?? escaped ?? bare)
  }
  return word === undefined ? words : [...words, word]
}

function unreadable(text: string, at: number): string {
  const rest = text.slice(at, at + 20)
  if (/^['"]/.test(rest) && !/^(['"]).*\1/s.test(text.slice(at))) {
    return `a quotation is open from ${rest}`
  }
  return `a shell would act on ${rest}, which is not done here: put it in single quotes`
}
