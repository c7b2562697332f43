import type { Command } from '../command.ts'
import { documentFlags, workFlags } from '../flags/run-flags.ts'
import { demandPackages } from '../optional-packages.ts'
import type { MutantFlags } from './mutant-hunt.ts'

/** `plimsoll mutants`: breaks the platform in every known way; every break must be caught. */
export const command: Command<MutantFlags> = {
  builder: (yargs) =>
    workFlags(
      documentFlags(yargs)
        .positional('names', {
          type: 'string',
          array: true,
          describe: 'Mutants by name or a beginning of it (default: all)'
        })
        .option('list', { type: 'boolean', default: false, describe: 'Only name the mutants' })
    )
      .example('$0 mutants', 'every mutant against the scenario that must catch it')
      .example('$0 mutants --list', 'what can be broken')
      .example('$0 mutants url-length', 'the mutants whose name begins with "url-length"') as never,
  async handler(options) {
    demandPackages('platform', 'the reference platform, which is what mutants break,')
    const { huntMutants } = await import('./mutant-hunt.ts')
    process.exitCode = await huntMutants(options)
  }
}
