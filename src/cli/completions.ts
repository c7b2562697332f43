import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { scenariosFolder } from './inventory.ts'

/** By this word the script of `plimsoll completion` asks; what follows is the line so far. */
export const asksForWords = '--get-yargs-completions'

/** The value of a flag among words, as it stands there. */
function flagValue(flag: string, words: readonly string[]): string | undefined {
  const given = words.find((word) => word.startsWith(`${flag}=`))
  const at = words.indexOf(flag)
  return given?.slice(flag.length + 1) ?? (at < 0 ? undefined : words[at + 1])
}

/** The ids of scenarios; none where their folder cannot be read. */
async function scenarioIds(words: readonly string[]): Promise<string[]> {
  const { find } = await import('../scenario/find.ts')
  try {
    return find(scenariosFolder(flagValue('--scenarios', words))).map(({ id }) => id)
  } catch {
    return []
  }
}

/** The runs that are kept in a folder of them. */
function savedRuns(words: readonly string[]): string[] {
  const folder = flagValue('--out', words) ?? 'reports'
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, 'results.ndjson')))
}

/** What the positional words of these commands may be. */
const positional: Record<string, (words: readonly string[]) => string[] | Promise<string[]>> = {
  run: scenarioIds,
  list: scenarioIds,
  report: savedRuns
}

/**
 * What the last of the words on a line may become; undefined where yargs knows, as with flags and
 * their choices. No command is imported for it: somebody waits with a finger on a key.
 */
export async function completionsOf(words: readonly string[]): Promise<string[] | undefined> {
  const [, command = '', ...rest] = words
  const last = rest.at(-1)
  const isValue = /^-/.test(rest.at(-2) ?? '') && !rest.at(-2)!.includes('=')
  if (last === undefined || last.startsWith('-') || isValue) return undefined
  const known = await positional[command]?.(rest)
  return known?.filter((one) => one.startsWith(last))
}
