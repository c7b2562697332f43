import type { Argv } from 'yargs'
import type { Advice } from '../../verdict/exit-code.ts'
import { Failure } from '../failure.ts'

/** Flags of every command that comes to verdicts about a document. */
export type ExpectationFlags = {
  expect?: string
  strictExpectations: boolean
  gate?: 'observed'
  advice?: Advice
}

/** Adds the flags that name an expectation file and say how strictly it is meant. */
export function expectationFlags<Given>(yargs: Argv<Given>): Argv<Given & ExpectationFlags> {
  return yargs
    .option('expect', {
      type: 'string',
      requiresArg: true,
      describe: 'File of accepted deviations, and of what was observed last time'
    })
    .option('strict-expectations', {
      type: 'boolean',
      default: false,
      describe: 'Exit 1 when a clause passes whose deviation is still accepted'
    })
    .option('gate', {
      choices: ['observed'] as const,
      describe: 'Exit 1 when what the document leaves open is not as last time'
    })
    .option('advice', {
      choices: ['fail', 'warn'] as const,
      defaultDescription: 'fail',
      describe: 'Whether advice that is not followed fails the run, or is only told'
    }) as never
}

/** Ends the command when an expectation file was not named that other flags are about. */
export function demandFile({ strictExpectations, gate }: ExpectationFlags): void {
  const flag = strictExpectations ? '--strict-expectations' : gate && `--gate ${gate}`
  if (flag) throw new Failure(`${flag} is about an expectation file: name it with --expect FILE`)
}
