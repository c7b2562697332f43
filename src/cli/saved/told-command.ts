/** Headers and fields whose value is a secret, up to the end of the line or of the quotation. */
const secretNames = [
  ...['(?:proxy-)?authorization', '(?:set-)?cookie'],
  String.raw`[\w-]*(?:token|secret|api-?key|password)[\w-]*`
]
const secretHeader = new RegExp(String.raw`\b(${secretNames.join('|')})(\s*:\s*)[^'"\r\n]+`, 'gi')

/** A password in a URL. */
const password = /\/\/[^/?#\s'"]*@/g

/** Flags whose whole value is a secret. */
const secretFlags = ['--cookie', '--user', '-u']

/**
 * The words of a command as they may be kept and shown: whatever lets somebody in is an `…`, which
 * has to be put in again before it is repeated.
 */
export function toldCommand(words: readonly string[]): string[] {
  return words.map((word, index) => {
    if (secretFlags.includes(words[index - 1] ?? '')) return '…'
    const given = secretFlags.find((flag) => word.startsWith(`${flag}=`))
    if (given !== undefined) return `${given}=…`
    return word.replace(secretHeader, '$1$2…').replace(password, '//…@')
  })
}
