import type { CommandModule } from 'yargs'
import type { Command } from './command.ts'

/** A command as the list of them shows it, and where the rest of it is. */
type Entry = { command: string; describe: string; open: () => Promise<{ command: Command<any> }> }

/**
 * The commands, in the order in which `--help` lists them. What one is made of is imported when it
 * is named: together they import nearly everything there is, which takes longer than most of them.
 */
const entries: readonly Entry[] = [
  {
    command: 'run [ids..]',
    describe: 'Run scenarios against a target and judge every clause they claim',
    open: () => import('./commands/run.ts')
  },
  {
    command: 'list [ids..]',
    describe: 'Show the plan and which clauses each scenario claims; sends nothing',
    open: () => import('./commands/list.ts')
  },
  {
    command: 'clauses [document]',
    describe: 'Show what a document states, and whether the clauses still quote it',
    open: () => import('./commands/clauses.ts')
  },
  {
    command: 'load [url]',
    describe: 'Load a URL, open or closed, and measure what comes back',
    open: () => import('./commands/load.ts')
  },
  {
    command: 'compare',
    describe: 'Compare two URLs: is B slower than A?',
    open: () => import('./commands/compare.ts')
  },
  {
    command: 'history <file>',
    describe: 'Show the builds that `compare --history` kept, and where they shift; never gates',
    open: () => import('./commands/history.ts')
  },
  {
    command: 'capacity <url>',
    describe: 'Find the highest rate at which a URL holds an objective',
    open: () => import('./commands/capacity.ts')
  },
  {
    command: 'soak [url]',
    describe: 'Load a URL for long: does its memory, its latency or anything else drift?',
    open: () => import('./commands/soak.ts')
  },
  {
    command: 'probe <url>',
    describe: 'Find the limits of a URL, documented or not',
    open: () => import('./commands/probe.ts')
  },
  {
    command: 'calibrate',
    describe: 'Compare a thing with itself, again and again: what can this host tell apart?',
    open: () => import('./commands/calibrate.ts')
  },
  {
    command: 'doctor',
    describe: 'Show what this machine can and cannot do, what that is for, and what to do',
    open: () => import('./commands/doctor.ts')
  },
  {
    command: 'agent',
    describe: 'Offer this machine to loads that others send from several machines',
    open: () => import('./commands/agent.ts')
  },
  {
    command: 'platform',
    describe: 'Start the reference platform in the foreground',
    open: () => import('./commands/platform.ts')
  },
  {
    command: 'mutants [names..]',
    describe: 'Break the platform, or your target, one break at a time; each must be caught',
    open: () => import('./commands/mutants.ts')
  },
  {
    command: 'report [run]',
    describe: 'Render a saved run, judged again from its evidence',
    open: () => import('./commands/report.ts')
  }
]

/**
 * The commands as yargs takes them: whole where a word of the command line is their name, which one
 * of them has to be, else as they are listed. (A builder that imports for itself would make yargs
 * throw what it else hands to `fail`.)
 */
export function commandsFor(words: readonly string[]): Promise<CommandModule<any, any>[]> {
  return Promise.all(
    entries.map(async ({ open, ...listed }) => {
      const isNamed = words.includes(listed.command.split(' ')[0]!)
      return isNamed ? { ...listed, ...(await open()).command } : { ...listed, handler() {} }
    })
  )
}
