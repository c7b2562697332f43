import yargs from 'yargs'
import { printable } from '../report/printable.ts'
import { commandNames, commandsFor, commandsText } from './commands.ts'
import { complaint } from './complaint.ts'
import { asksForWords, completionsOf } from './completions.ts'
import { findConfig, type OpenConfig } from './config-flags.ts'
import { exit, Failure } from './failure.ts'
import { knownFlags } from './flags/flag-groups.ts'
import { unglued } from './flags/unglued.ts'
import { version } from './version.ts'

/**
 * Does what the words of a command line say; where that ends in a throw, says why and sets the exit
 * code that goes with it.
 */
export async function performLine(words: readonly string[]): Promise<void> {
  try {
    await perform(unglued([...words]))
  } catch (cause) {
    tell(cause)
    process.exitCode = cause instanceof Failure ? cause.code : exit.fault
  }
}

/** Parses the command line and does what it says. */
async function perform(words: string[]): Promise<void> {
  const isAsked = words[0] === asksForWords
  const config = await configFor(words)
  const names = isAsked ? await completionsOf(words.slice(1), config) : undefined
  if (names !== undefined)
    return void process.stdout.write(names.map((name) => `${name}\n`).join(''))
  const commands = await commandsFor(words, config)
  // By use they are in the text; yargs would list them once more, in one heap.
  const isNamed = isAsked || commands.some(({ builder }) => builder !== undefined)
  const listed = isNamed ? commands : commands.map((one) => ({ ...one, describe: false }))
  const parser = yargs(words)
  await parser
    .scriptName('plimsoll')
    .usage(
      'Proves the limits a platform documents, finds the ones it does not, and measures what it ' +
        'does under load.\n\n$0 <command>' +
        (isNamed ? '' : `\n\n${commandsText()}`)
    )
    .command(listed as never)
    .completion('completion', false)
    .option('config', {
      ...{ type: 'boolean', default: true, global: true },
      describe: 'Heed the nearest plimsoll.config.ts; --no-config leaves it out'
    })
    .demandCommand(1, 'Name a command; `plimsoll run` checks the embedded platform.')
    .version(version)
    .alias('h', 'help')
    .strict()
    .wrap(Math.min(100, process.stdout.columns ?? 100))
    // yargs would exit 1, which here means that a clause failed.
    .exitProcess(false)
    .fail((message, cause) => {
      if (cause instanceof Failure) throw cause
      if (cause && !message) throw cause
      const known = { flags: [...knownFlags(parser)], commands: commandNames }
      const told = complaint(message ?? cause.message, words, known)
      throw new Failure(`${told}\nSee \`plimsoll --help\`.`)
    })
    .epilogue(
      'Exit codes: 0 all passed, 1 a fail or advice not followed, 2 inconclusive or blocked, ' +
        '3 harness error, 4 nothing checked, 64 wrong usage, 77 target not authorised, ' +
        '130 interrupted.'
    )
    .parseAsync()
}

/** What a config file says, to whoever may want to know it. */
async function configFor(words: readonly string[]): Promise<OpenConfig | undefined> {
  if (words.some((word) => ['--no-config', '--help', '-h', '--version'].includes(word))) return
  // Most folders have none, and need nothing by which it would be read.
  if (findConfig(process.cwd()) === undefined) return
  return (await import('./config-file.ts')).openConfig(process.cwd())
}

/** Says why a command ends: in a sentence, and with a stack where nobody knows how it came. */
export function tell(cause: unknown): void {
  // What the system denies, such as one more file or thread, needs no stack to be understood.
  const isDenied = [cause, (cause as Error | undefined)?.cause].some(
    (one) =>
      one instanceof Error &&
      ('syscall' in one || (one as NodeJS.ErrnoException).code === 'ERR_WORKER_INIT_FAILED')
  )
  const isKnown = cause instanceof Failure || isDenied
  const text = isKnown ? (cause as Error).message : ((cause as Error)?.stack ?? cause)
  // A message may quote a file of somebody else, which could speak to the terminal.
  process.stderr.write(`plimsoll: ${printable(`${text}`)}\n`)
}
