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
