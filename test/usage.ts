import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { messageOf } from '../src/fault.ts'

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
