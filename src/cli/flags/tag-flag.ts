import type { Argv } from 'yargs'

/** What a person says of a run, by name; it is kept and shown, and decides nothing. */
export type TagFlag = { tag: Record<string, string> }

/** So many a run may have, and so long one may be. */
const most = { tags: 20, characters: 200 }

/** The tags in `build=42` and the like. Throws an Error that says what is wrong. */
function asTags(given: string | string[]): TagFlag['tag'] {
  const texts = [given].flat()
  if (texts.length > most.tags) throw new Error(`--tag can be given ${most.tags} times at most`)
  const tags = texts.map((text): [string, string] => {
    const [, key, value = ''] = /^([\w.-]{1,64})=(.+)$/s.exec(text) ?? []
    if (key !== undefined && value.length <= most.characters) return [key, value]
    throw new Error(
      `--tag "${text.slice(0, 80)}" is not of the form key=value, with a key of letters, digits, ` +
        `., - and _ and at most ${most.characters} characters`
    )
  })
  const doubled = tags.find(([key], at) => tags.findIndex(([one]) => one === key) < at)
  if (doubled) throw new Error(`--tag names ${doubled[0]} twice`)
  return Object.fromEntries(tags)
}

/** Adds the flag that tags a run. */
export function tagFlag<Given>(yargs: Argv<Given>): Argv<Given & TagFlag> {
  return yargs.option('tag', {
    type: 'string',
    default: [],
    requiresArg: true,
    coerce: asTags,
    describe: 'What to keep with the run, as key=value; can be given several times'
  }) as never
}
