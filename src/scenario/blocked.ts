/** What had to be there before anything could be asked is not: the clauses are blocked. */
export class Blocked extends Error {}

/** Whether that is what was thrown; nothing that can be thrown makes this throw. */
export function isBlocked(thrown: unknown): thrown is Blocked {
  try {
    return thrown instanceof Blocked
  } catch {
    return false
  }
}
