/** Headers and fields whose value is a secret. */
const secretNames = [
  ...['(?:proxy-)?authorization', '(?:set-)?cookie'],
  String.raw`[\w-]*(?:token|secret|api[-_]?key|passw(?:or)?d)[\w-]*`
].join('|')

/** A header, up to the end of the line or of the quotation. */
const secretHeader = new RegExp(String.raw`\b(${secretNames})(\s*:\s*)[^'"\r\n]+`, 'gi')

/** A field of JSON, and one of a form or a query. */
const secretJson = new RegExp(String.raw`"(${secretNames})"(\s*:\s*)"(?:[^"\\]|\\.)*"?`, 'gi')
const secretField = new RegExp(String.raw`\b(${secretNames})=[^&\s'"]+`, 'gi')

/** A password in a URL. */
const password = /\/\/[^/?#\s'"]*@/g

/** Flags whose values are secrets, each of them up to the next flag. */
const secretFlags = ['--cookie', '--user', '-u']

/**
 * What is kept of flags whose value is a whole command of another tool. Browsers put all that lets
 * somebody in into it, by more flags and in more ways to write them than could be told apart.
 */
const commandFlags: Record<string, string> = { '--curl': 'curl …' }

/** The flag that a word stands behind: the nearest one before it. */
function flagBefore(words: readonly string[], index: number): string | undefined {
  return words.slice(0, index).findLast((word) => word.startsWith('-'))
}

function told(flag: string | undefined, value: string): string {
  if (flag !== undefined && secretFlags.includes(flag)) return '…'
  const command = flag === undefined ? undefined : commandFlags[flag]
  if (command !== undefined && !value.startsWith('@')) return command
  return value
    .replace(secretHeader, '$1$2…')
    .replace(secretJson, '"$1"$2"…"')
    .replace(secretField, '$1=…')
    .replace(password, '//…@')
}

/**
 * The words of a command as they may be kept and shown: whatever lets somebody in is an `…`, which
 * has to be put in again before it is repeated.
 */
export function toldCommand(words: readonly string[]): string[] {
  return words.map((word, index) => {
    const [, flag, value] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? []
    if (flag !== undefined) return `${flag}=${told(flag, value!)}`
    if (word.startsWith('-')) return told(undefined, word)
    return told(flagBefore(words, index), word)
  })
}
