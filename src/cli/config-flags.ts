import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { Config } from '../scenario/config.ts'

/** What a config file says, and where it is. */
export type OpenConfig = { file: string; config: Config }

const names = ['ts', 'mts', 'js', 'mjs'].map((ending) => `plimsoll.config.${ending}`)

/** The nearest config file from a folder upwards; undefined where there is none. */
export function findConfig(folder: string): string | undefined {
  const found = names.map((name) => join(folder, name)).find((place) => existsSync(place))
  const above = dirname(folder)
  return found ?? (above === folder ? undefined : findConfig(above))
}

/** A path of a config file as seen from the working folder. */
function pathIn({ file }: OpenConfig, path: string): string {
  return relative('', resolve(dirname(file), path)) || '.'
}

const isUrl = (text: string) => /^https?:\/\//.test(text)

/** A target by its name among those of a config file, else as it was named. */
export function targetNamed(asked: string, open: OpenConfig): string {
  const { targets = {} } = open.config
  const found = Object.hasOwn(targets, asked) ? targets[asked]! : undefined
  if (found === undefined) return asked
  return isUrl(found) ? found : pathIn(open, found)
}

/** What a file stands for beside the names of targets: one of its folder, where there is one. */
function targetOf(open: OpenConfig, asked: string): string {
  const place = pathIn(open, asked)
  const isFile = !Object.hasOwn(open.config.targets ?? {}, asked) && existsSync(place)
  return isFile ? place : asked
}

/** The flags of a command that a config file gives values to, by their names. */
export function flagsIn(open: OpenConfig, command: string): Record<string, unknown> {
  const { scenarios, target, tier, authorisation, reporters, out } = open.config
  const at = (path: string | undefined) => (path === undefined ? undefined : pathIn(open, path))
  const isRun = command === 'run'
  const flags = {
    ...{ scenarios: at(scenarios), tier, authorisation: at(authorisation) },
    // Elsewhere they mean something else: what to break, or the folder of one result.
    ...(isRun && { target: target && targetOf(open, target), reporter: reporters }),
    ...((isRun || command === 'soak') && { out: at(out) })
  }
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))
}
