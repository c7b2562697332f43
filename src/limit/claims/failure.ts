/** How many answers in a row that may be failures are a refusal: a limit refuses again at once. */
export const refusals = 3

/** Whether a refusal may be that something broke, and that nobody asked too much. */
export function mayBeFailure(status: number, isWaitTold: boolean): boolean {
  return status >= 500 && !isWaitTold
}
