import type { ArgumentsCamelCase, Argv } from 'yargs'

/** What a command is made of beside its name: the flags it takes, and what it does with them. */
export type Command<Flags> = {
  builder: (yargs: Argv) => Argv<Flags>
  handler: (flags: ArgumentsCamelCase<Flags>) => void | Promise<void>
}
