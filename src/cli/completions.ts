import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { flagsIn, type OpenConfig } from './config-flags.ts'
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
async function scenarioIds(words: readonly string[], usual: Usual): Promise<string[]> {
  const { find } = await import('../scenario/find.ts')
  try {
    return find(scenariosFolder(flagValue('--scenarios', words) ?? usual.scenarios)).map(
      ({ id }) => id
    )
  } catch {
    return []
  }
}

/** The runs that are kept in a folder of them. */
function savedRuns(words: readonly string[], usual: Usual): string[] {
  const folder = flagValue('--out', words) ?? usual.out ?? 'reports'
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, 'results.ndjson')))
}

/** What a config file says in place of flags. */
type Usual = { scenarios?: string; out?: string }
type Complete = (words: readonly string[], usual: Usual) => string[] | Promise<string[]>

/** What the positional words of these commands may be. */
const positional: Record<string, Complete> = {
  run: scenarioIds,
  list: scenarioIds,
  report: savedRuns
}

/** What the values of these flags may be, of which there may be several. */
const valued: Record<string, () => Promise<string[]>> = {
  '--metric': async () => Object.keys((await import('../verdict/pair-metric.ts')).pairMetrics)
}

/**
 * What the last of the words on a line may become; undefined where yargs knows, as with flags and
 * their choices. No command is imported for it: somebody waits with a finger on a key.
 */
export async function completionsOf(
  words: readonly string[],
  config?: OpenConfig
): Promise<string[] | undefined> {
  const [, command = '', ...rest] = words
  const last = rest.at(-1)
  const isValue = /^-/.test(rest.at(-2) ?? '') && !rest.at(-2)!.includes('=')
  const values = command === 'compare' ? await valued[rest.at(-2) ?? '']?.() : undefined
  if (last !== undefined && values) return values.filter((one) => one.startsWith(last))
  if (last === undefined || last.startsWith('-') || isValue) return undefined
  const usual: Usual = config === undefined ? {} : flagsIn(config, 'run')
  const known = await positional[command]?.(rest, usual)
  return known?.filter((one) => one.startsWith(last))
}
