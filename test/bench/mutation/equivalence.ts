/** Faults that change nothing a document speaks of, and why. */
export type Equivalence = {
  /** A file of the platform, or a folder of it with a slash at its end. */
  file: string
  /** Names of operators; all of them where there are none. */
  operators?: readonly string[]
  /** What stands in the place; anything where it is not said. */
  before?: RegExp
  /** What its line looks like; anything where it is not said. */
  line?: RegExp
  because: string
}
