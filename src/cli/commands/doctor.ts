import type { Command } from '../command.ts'
import { type Check, checksOf } from './doctor-checks.ts'
import { factsHere } from './doctor-facts.ts'

type Options = { json: boolean }

/** How long the clock is watched, and the same work done again and again. */
const watchMs = 1_000

const marks = { ok: '✔', limited: '!', absent: '–', unknown: '?' }

/** `plimsoll doctor`: what this machine can and cannot do. */
export const command: Command<Options> = {
  builder: (yargs) =>
    yargs
      .option('json', { type: 'boolean', default: false, describe: 'One JSON document on stdout' })
      .example('$0 doctor', 'each line with what it is for, and what to do')
      .epilogue(
        'Exit codes: 0 nothing makes measurements here less sure, 2 something does. What only ' +
          'some commands need may be absent; it changes no exit code.'
      ) as never,
  handler({ json }) {
    const checks = checksOf(factsHere(watchMs))
    const limited = checks.filter(({ status }) => status === 'limited').map(({ name }) => name)
    const code = limited.length > 0 ? 2 : 0
    process.stdout.write(
      json ? `${JSON.stringify({ checks, limited, exit: code })}\n` : textOf(checks)
    )
    process.exitCode = code
  }
}

function textOf(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length))
  const indent = ' '.repeat(width + 4)
  const lines = checks.flatMap(({ name, status, found, purpose, advice }) => [
    `${marks[status]} ${name.padEnd(width)}  ${found}`,
    `${indent}${purpose}`,
    ...(advice === undefined ? [] : [`${indent}→ ${advice}`])
  ])
  const legend = '✔ there   ! makes measurements less sure   – some commands lack it   ? not told'
  return `${[...lines, '', legend].join('\n')}\n`
}
