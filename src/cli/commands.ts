import type { Argv, CommandModule } from 'yargs'
import type { Command } from './command.ts'
import { asksForWords } from './completions.ts'
import { flagsIn, type OpenConfig, targetNamed } from './config-flags.ts'
import { grouped, knownFlags } from './flags/flag-groups.ts'
import { insistOnOnce } from './flags/once.ts'
import { insistOnValues } from './flags/values.ts'

/** A command as the list of them shows it, and where the rest of it is. */
type Entry = {
  command: string
  use: keyof typeof uses
  describe: string
  open: () => Promise<{ command: Command<any> }>
}

/** What commands are for, in the order in which `--help` shows them. */
const uses = {
  prove: 'Prove what a document states',
  find: 'Find what nobody documents',
  measure: 'Measure',
  prepare: 'Prepare'
}

/**
 * The commands, in the order in which `--help` lists them below what they are for. What one is made
 * of is imported when it is named: together they import nearly everything there is, which takes
 * longer than most of them.
 */
const entries: readonly Entry[] = [
  {
    command: 'init [source]',
    use: 'prove',
    describe: 'Begin a project, or write the scenarios of an OpenAPI document',
    open: () => import('./commands/init.ts')
  },
  {
    command: 'run [ids..]',
    use: 'prove',
    describe: 'Run scenarios against a target and judge every clause they claim',
    open: () => import('./commands/run.ts')
  },
  {
    command: 'list [ids..]',
    use: 'prove',
    describe: 'Show the plan and which clauses each scenario claims; sends nothing',
    open: () => import('./commands/list.ts')
  },
  {
    command: 'clauses [document]',
    use: 'prove',
    describe: 'Show what a document states, and whether the clauses still quote it',
    open: () => import('./commands/clauses.ts')
  },
  {
    command: 'load [url]',
    use: 'measure',
    describe: 'Load a URL, open or closed, and measure what comes back',
    open: () => import('./commands/load.ts')
  },
  {
    command: 'compare',
    use: 'measure',
    describe: 'Compare two URLs: is B slower than A?',
    open: () => import('./commands/compare.ts')
  },
  {
    command: 'history <file>',
    use: 'measure',
    describe: 'Show the builds that `compare --history` kept, and where they shift; never gates',
    open: () => import('./commands/history.ts')
  },
  {
    command: 'capacity <url>',
    use: 'measure',
    describe: 'Find the highest rate at which a URL holds an objective',
    open: () => import('./commands/capacity.ts')
  },
  {
    command: 'soak [url]',
    use: 'measure',
    describe: 'Load a URL for long: does its memory, its latency or anything else drift?',
    open: () => import('./commands/soak.ts')
  },
  {
    command: 'probe [url]',
    use: 'find',
    describe: 'Find the limits of a URL, documented or not',
    open: () => import('./commands/probe.ts')
  },
  {
    command: 'calibrate',
    use: 'prepare',
    describe: 'Compare a thing with itself, again and again: what can this host tell apart?',
    open: () => import('./commands/calibrate.ts')
  },
  {
    command: 'doctor',
    use: 'prepare',
    describe: 'Show what this machine can and cannot do, what that is for, and what to do',
    open: () => import('./commands/doctor.ts')
  },
  {
    command: 'agent',
    use: 'prepare',
    describe: 'Offer this machine to loads that others send from several machines',
    open: () => import('./commands/agent.ts')
  },
  {
    command: 'mcp',
    use: 'prepare',
    describe: 'Serve list, clauses, run, load, probe, compare and report to coding agents (MCP)',
    open: () => import('./commands/mcp.ts')
  },
  {
    command: 'platform',
    use: 'prepare',
    describe: 'Start the reference platform in the foreground',
    open: () => import('./commands/platform.ts')
  },
  {
    command: 'mutants [names..]',
    use: 'prove',
    describe: 'Break the platform, or your target, one break at a time; each must be caught',
    open: () => import('./commands/mutants.ts')
  },
  {
    command: 'report [run]',
    use: 'prove',
    describe: 'Render a saved run, judged again from its evidence',
    open: () => import('./commands/report.ts')
  },
  {
    command: 'publish [run]',
    use: 'prove',
    describe: 'Write what a run verified for others: limits, a table, a badge, OpenAPI, SLA4OAI',
    open: () => import('./commands/publish.ts')
  },
  {
    command: 'verify <file>',
    use: 'prove',
    describe: 'Whether published limits are those that were signed, or that a run found',
    open: () => import('./commands/verify.ts')
  }
]

/** Every command with its positional words: `load [url]`. */
export const commandNames: readonly string[] = entries.map(({ command }) => command)

/** What each command is for, as `--help` shows it. */
export function commandsText(): string {
  const listed = [...entries, completionEntry]
  const width = Math.max(...listed.map(({ command }) => command.length))
  const sections = Object.entries(uses).map(([use, title]) => {
    const own = listed.filter((entry) => entry.use === use)
    const lines = own.map(({ command, describe }) => `  ${command.padEnd(width)}  ${describe}`)
    return [`${title}:`, ...lines].join('\n')
  })
  return sections.join('\n\n')
}

/** What yargs does itself. */
const completionEntry = {
  command: 'completion',
  use: 'prepare',
  describe: 'Print the script by which a shell completes words'
}

/**
 * The commands as yargs takes them: whole where a word of the command line is their name, which one
 * of them has to be, else by name only. (A builder that imports for itself would make yargs throw
 * what it else hands to `fail`.) What a config file says takes the place of their defaults.
 */
export function commandsFor(
  words: readonly string[],
  config?: OpenConfig
): Promise<CommandModule<any, any>[]> {
  const isShown =
    words.some((word) => word === '--help' || word === '-h') || words[0] === asksForWords
  return Promise.all(
    entries.map(async ({ open, use: _, ...listed }) => {
      const [name] = listed.command.split(' ') as [string]
      const isNamed = words.includes(name)
      if (!isNamed) return { ...listed, handler() {} }
      const { builder, handler } = (await open()).command
      const build = (yargs: Argv) => {
        const built = builder(yargs)
        // yargs puts the help together whether it is asked for or not, which takes 50 ms.
        if (isShown) return grouped(built)
        insistOnOnce(built, words)
        insistOnValues(built, listed.command)
        for (const flag of knownFlags(built)) built.hide(flag)
        return built
      }
      if (config === undefined) return { ...listed, builder: build, handler }
      return {
        ...listed,
        builder(yargs: Argv) {
          const built = build(yargs)
          const known = knownFlags(built)
          const given = Object.entries(flagsIn(config, name)).filter(([flag]) => known.has(flag))
          return built.config(Object.fromEntries(given))
        },
        handler(flags: any) {
          const { target } = flags
          return handler({ ...flags, target: target && targetNamed(target, config) })
        }
      }
    })
  )
}
