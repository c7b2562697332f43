import yargs from 'yargs'
import { hideBin } from 'yargs/helpers'
import { commandNames, commandsFor, commandsText } from './cli/commands.ts'
import { complaint } from './cli/complaint.ts'
import { asksForWords, completionsOf } from './cli/completions.ts'
import { findConfig, type OpenConfig } from './cli/config-flags.ts'
import { exit, Failure } from './cli/failure.ts'
import { knownFlags } from './cli/flags/flag-groups.ts'
import { unglued } from './cli/flags/unglued.ts'
import { version } from './cli/version.ts'
import { printable } from './report/printable.ts'

// Who reads no further, as `head` does, is told no more, and no more is a terminal that was closed;
// what was begun is finished all the same. What else cannot be written is not whole, whatever the
// command itself came to.
let isCut = false
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    const isUnread = error.code === 'EPIPE' || (error.code === 'EIO' && stream.isTTY)
    if (isUnread || isCut) return
    isCut = true
    tell(new Failure(`the output cannot be written: ${error.message}`))
  })
}
process.on('exit', () => {
  if (isCut) process.exitCode = exit.fault
})

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
  return (await import('./cli/config-file.ts')).openConfig(process.cwd())
}

/** Says why the command ends: in a sentence, and with a stack where nobody knows how it came. */
function tell(cause: unknown): void {
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

// Node would exit 1, which here means that a clause failed.
process.on('uncaughtException', (cause) => {
  tell(cause)
  process.exit(exit.fault)
})

/** How long what a command left behind, such as a request without an answer, may hold it up. */
const lingerMs = 1_000

try {
  await perform(unglued(hideBin(process.argv)))
} catch (cause) {
  tell(cause)
  process.exitCode = cause instanceof Failure ? cause.code : exit.fault
}

// All has been saved by now: what is still under way is of no use to anybody, but for what a slow
// reader has not taken yet.
setTimeout(() => process.stdout.write('', () => process.exit()), lingerMs).unref()
