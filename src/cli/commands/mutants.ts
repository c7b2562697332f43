import type { Command } from '../command.ts'
import { Failure } from '../failure.ts'
import { insecureFlag } from '../flags/load-flags.ts'
import { whole } from '../flags/numbers.ts'
import { documentFlags, targetFlags, workFlags } from '../flags/run-flags.ts'
import { demandPackages } from '../optional-packages.ts'
import type { BreakFlags } from './break-hunt.ts'
import type { MutantFlags } from './mutant-hunt.ts'
import type { TamperFlags } from './tamper-hunt.ts'

type Options = MutantFlags & TamperFlags & BreakFlags & { tamper: boolean }

/** `plimsoll mutants`: breaks a target in every known way; every break must be caught. */
export const command: Command<Options> = {
  builder: (yargs) =>
    targetFlags(
      workFlags(
        documentFlags(yargs).positional('names', {
          type: 'string',
          array: true,
          describe:
            'Mutants by name or a beginning of it; with --tamper or --target-cmd, scenarios ' +
            '(default: all)'
        })
      )
    )
      .option('list', { type: 'boolean', default: false, describe: 'Only name the mutants' })
      .option('target-cmd', {
        type: 'string',
        describe: 'Command that serves your target; {} stands for one of --breaks'
      })
      .option('breaks', {
        type: 'string',
        coerce: (text: string) => text.split(',').map((name) => name.trim()),
        describe: 'Your own breaks, with commas: NAME, or NAME=CLAUSE that must show it'
      })
      .option('honest-cmd', {
        type: 'string',
        describe: 'Command of the target unbroken (default: --target-cmd without {} and its flag)'
      })
      .option('tamper', {
        type: 'boolean',
        default: false,
        describe: 'Tamper with the answers of any target; a check that stays green is blind'
      })
      .option('tamperings', {
        type: 'number',
        default: 40,
        coerce: whole('tamperings'),
        describe: 'Tamperings to try for each clause at most'
      })
      .option('every', {
        type: 'boolean',
        default: false,
        describe: 'Try them all, and tell under which of them each check stays green'
      })
      .option('insecure', insecureFlag)
      .example('$0 mutants', 'every mutant against the scenario that must catch it')
      .example('$0 mutants --list', 'what can be broken')
      .example('$0 mutants url-length', 'the mutants whose name begins with "url-length"')
      .example(
        "$0 mutants --scenarios ./limits --target shop.json --target-cmd './shop --break {}' " +
          '--breaks no-auth,off-by-one=orders.name-length',
        'your own breaks of your own target'
      )
      .example(
        '$0 mutants --tamper --scenarios ./limits --target http://127.0.0.1:3000',
        'which of your checks are blind'
      ) as never,
  async handler(options) {
    const { tamper, targetCmd, breaks } = options
    if (tamper && targetCmd !== undefined)
      throw new Failure('--tamper takes a target as it is: leave out --target-cmd')
    if ((targetCmd === undefined) !== (breaks === undefined))
      throw new Failure('--target-cmd and --breaks belong together')
    if (tamper) {
      const { huntBlind } = await import('./tamper-hunt.ts')
      process.exitCode = await huntBlind(options)
    } else if (targetCmd !== undefined) {
      const { huntBreaks } = await import('./break-hunt.ts')
      process.exitCode = await huntBreaks(options)
    } else {
      if (options.target !== undefined)
        throw new Failure('--target is for --tamper and --target-cmd; mutants are of our platform')
      demandPackages('platform', 'the reference platform, which is what mutants break,')
      const { huntMutants } = await import('./mutant-hunt.ts')
      process.exitCode = await huntMutants(options)
    }
  }
}
