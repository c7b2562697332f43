/** What yargs says of flags, without their dashes: `Unknown arguments: fooBar, foo-bar`. */
const ofFlags = /^(Unknown arguments?|Not enough arguments following): (.*)$/gm
const ofDemand = /^(Missing required arguments?: )(.*)$/gm
const ofChoice = /^( *Argument: )([\w-]+), /gm

/** A name as it was written among words: with its dashes where it is that of a flag. */
function written(name: string, words: readonly string[]): string | undefined {
  const isLong = words.some((word) => word === `--${name}` || word.startsWith(`--${name}=`))
  if (isLong) return `--${name}`
  if (name.length === 1 && words.some((word) => /^-\w/.test(word) && word.includes(name)))
    return `-${name}`
  return words.includes(name) ? name : undefined
}

/** A message of yargs with every flag as it was given in words: `Unknown argument: --foo-bar`. */
export function dashed(message: string, words: readonly string[]): string {
  return message
    .replace(ofFlags, (whole, what: string, names: string) => {
      // A flag that is unknown is listed in camel case too, as nobody wrote it.
      const given = names.split(', ').flatMap((name) => written(name, words) ?? [])
      if (given.length === 0) return whole
      const one = what.startsWith('Unknown') && given.length === 1 ? 'Unknown argument' : what
      return `${one}: ${given.join(', ')}`
    })
    .replace(ofDemand, (_, what: string, names: string) => {
      const all = names.split(', ').map((name) => `--${name}`)
      return `${what}${all.join(', ')}`
    })
    .replace(ofChoice, '$1--$2, ')
}
