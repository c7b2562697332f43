import type { Tier } from './tier.ts'

/** Every format that a run can be rendered in, as `--reporter` and a config file name them. */
export const reporterNames = [
  ...(['html', 'junit', 'markdown', 'json'] as const),
  ...(['ctrf', 'sarif', 'github', 'gitlab', 'csv'] as const)
]

/** The name of one of them. */
export type ReporterName = (typeof reporterNames)[number]

/**
 * What `plimsoll.config.ts` says: the values of flags that are not given. Paths are seen from its
 * folder.
 */
export type Config = {
  /** Folder of scenarios and clauses.json; `--scenarios`. */
  scenarios?: string
  /** Targets by the names that `--target` may then have: a URL or a target's JSON file each. */
  targets?: Record<string, string>
  /** What `plimsoll run` asks: one of these names, a URL or a file; `--target`. */
  target?: string
  /** How much time to take; `--tier`. */
  tier?: Tier
  /** File that names the targets beyond loopback which you may test; `--authorisation`. */
  authorisation?: string
  /** What `plimsoll run` writes beside results.ndjson; `--reporter`. */
  reporters?: ReporterName[]
  /** Folder for the folders of runs and soaks; `--out`. */
  out?: string
}

/** The default export of `plimsoll.config.ts`, for its types: returns what it is given. */
export function defineConfig(config: Config): Config {
  return config
}
