import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { Failure, orFail } from '../src/cli/failure.ts'
import { messageOf } from '../src/fault.ts'
import { orNearest } from '../src/scenario/nearest.ts'

/** The comment at the head of a program's file, which is its usage. */
export function usageOf(file: string): string {
  const lines = readFileSync(file, 'utf8').split('\n')
  const head = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('//'))
  )
  return head.map((line) => `${line.slice(3)}\n`).join('')
}

/**
 * What the command line of a program says. With `--help` it prints the usage and ends with exit
 * code 0; what it does not know ends it with 64.
 */
export function flagsOf<const Config extends ParseArgsConfig>(
  program: string,
  config: Config
): ReturnType<typeof parseArgs<Config>> {
  const usage = usageOf(fileURLToPath(program))
  if (process.argv.slice(2).includes('--help')) {
    process.stdout.write(usage)
    process.exit(0)
  }
  try {
    return parseArgs(config)
  } catch (cause) {
    process.stderr.write(`${messageOf(cause)}\n\n${usage}`)
    process.exit(64)
  }
}

/**
 * Reads what was asked for before anything is begun. What is wrong with it ends the program as it
 * ends the command line: with the message, and with 64 where no failure says otherwise.
 */
export async function orRefused<Asked>(read: () => Asked | Promise<Asked>): Promise<Asked> {
  try {
    return await orFail(read)
  } catch (cause) {
    process.stderr.write(`${messageOf(cause)}\n`)
    process.exit((cause as Failure).code)
  }
}

/** The name itself where it is one of these; a failure with the nearest where it is none. */
export function oneOf<Name extends string>(
  names: readonly Name[],
  { flag, asked }: { flag: string; asked: string }
): Name {
  const found = names.find((name) => name === asked)
  if (found !== undefined) return found
  const more = names.length > 20 ? [...names.slice(0, 5), '…'] : names
  const some = `; there are ${more.join(', ')}`
  throw new Failure(`--${flag}: there is no "${asked}"${orNearest(asked, names) || some}`)
}

/**
 * The numbers on the command line of a program, each the usual one where it is not given. What is
 * no number, or is one too many, ends it with 64.
 */
export function numbersOf<const Usual extends readonly number[]>(
  program: string,
  usual: Usual
): { -readonly [Place in keyof Usual]: number } {
  const { positionals } = flagsOf(program, { allowPositionals: true })
  const wrong = positionals.find((word, at) => !(Number(word) >= 0) || at >= usual.length)
  if (wrong !== undefined) {
    process.stderr.write(`unexpected: ${wrong}\n\n${usageOf(fileURLToPath(program))}`)
    process.exit(64)
  }
  return usual.map((number, at) => Number(positionals[at] ?? number)) as {
    -readonly [Place in keyof Usual]: number
  }
}
