/** The exit codes that only the command line knows; `verdict/exit-code` has those of verdicts. */
export const exit = { fault: 3, nothingChecked: 4, usage: 64, notAuthorised: 77, interrupted: 130 }

/** Ends the command: a message for people, without a stack, and the exit code that goes with it. */
export class Failure extends Error {
  readonly code: number
  constructor(message: string, code = exit.usage) {
    super(message)
    this.code = code
  }
}

/** What the system says of a file or folder, in words that say what to do. */
const fixes: Record<string, string> = {
  ENOENT: 'there is none; name one that is there',
  EISDIR: 'it is a folder; name a file',
  ENOTDIR: 'a part of its path is a file; name a place below a folder',
  EACCES: 'the system denies it; name one that you may use'
}

/** Why a file or folder could not be used, in words where they are known. */
export function fileFault(cause: unknown): string {
  const { code = '', message } = cause as NodeJS.ErrnoException
  return Object.hasOwn(fixes, code) ? fixes[code]! : message
}

/** Runs `work` and turns what it throws into a Failure with the given exit code. */
export async function orFail<Result>(
  work: () => Result | Promise<Result>,
  code = exit.usage
): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure((cause as Error).message, code)
  }
}
