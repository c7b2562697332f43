import type { Override } from './override.ts'

/** One way to break a part: its rules, but for a single respect. */
export type Mutant<Own = any> = {
  /** Kebab-case; says what is broken. */
  name: string
  /** The clause whose verdict it must turn to fail. */
  clause: string
  /** Other clauses that say the same of what it breaks: they may fall with it. */
  besides?: readonly string[]
  /** What a client would see, in a sentence. */
  description: string
  change: Override<Own>
}

/** The override of a part that enforces nothing: no limit, quota, permission or policy. */
export type Unenforced<Own = any> = Override<Own>
