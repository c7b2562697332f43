/** What stands between words that may come again: not an @, of which there is but one. */
const between = /([\p{L}\p{N}]+)([ ._,/:;-])(?=[\p{L}\p{N}])/u

/** Texts that are asked with where the document has none: a word, and words with dots between. */
export const usualTexts = ['plimsoll', 'www.example.com']

/** As many letters, over and over those of a word. */
const filled = (word: readonly string[], count: number) =>
  Array.from({ length: count }, (_, index) => word[index % word.length]!).join('')

/**
 * Texts of as many letters that keep the shape of one: a word of it that goes on as it began, and
 * words that come again, each no longer than twice what it was. The text itself, where it is as
 * long already, or longer.
 */
export function lengthened(text: string, length: number): string[] {
  const lacking = length - [...text].length
  if (lacking <= 0) return [text]
  const words = [...text.matchAll(/[A-Za-z0-9]+|[\p{L}\p{N}]+/gu)]
  const [first] = words.toSorted(([one], [other]) => other.length - one.length)
  if (first === undefined) return [text + filled([...text].slice(-1), lacking)]
  const until = first.index + first[0].length
  const grown = text.slice(0, until) + filled([...first[0]], lacking) + text.slice(until)
  const found = between.exec(text)
  if (found === null) return [grown]
  const [whole, word = ''] = found
  const size = [...whole].length
  const more = filled([...word], lacking % size) + text.slice(found.index + word.length)
  const again = whole.repeat(Math.floor(lacking / size))
  return [grown, `${text.slice(0, found.index)}${again}${word}${more}`]
}
