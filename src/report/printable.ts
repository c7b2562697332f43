/** Characters that no terminal, XML parser or browser should get to see from a target. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const controls = /[\0-\x08\x0B-\x1F\x7F]/g
const forbidden = /[\x80-\x9F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/g

/**
 * Text that is safe to hand to any format's own escaping: control characters become the pictures
 * Unicode has for them (NUL is `␀`), and what has none, as half a surrogate pair, becomes `�`.
 */
export function printable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(controls, (found) => {
      const code = found.charCodeAt(0)
      return String.fromCharCode(code === 0x7f ? 0x2421 : 0x2400 + code)
    })
    .replace(forbidden, '\uFFFD')
    .toWellFormed()
}

/** The beginning of a text of at most `length` characters, and how many more there are. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text
  const more = text.length - length
  return `${text.slice(0, length).toWellFormed()}… (${more} characters more)`
}

/** Printable text on a single line of at most `length` characters; what was longer ends in `…`. */
export function oneLine(text: string, length = Number.POSITIVE_INFINITY): string {
  // What is far beyond the length is not looked at; a target may have said very much.
  const near = text.length > 20 * length ? text.slice(0, 20 * length) : text
  const line = printable(near.replace(/\s+/g, ' ').trim())
  const isWhole = near === text && line.length <= length
  return isWhole ? line : `${line.slice(0, length - 1).toWellFormed()}…`
}
