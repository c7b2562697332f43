import type { AskedValue } from '../limit/boundary.ts'
import type { Request } from '../load/requests/request.ts'
import type { Tier } from '../scenario/tier.ts'
import type { Target } from '../target/target.ts'
import type { Finding } from './finding.ts'
import type { Unit } from './unit.ts'

/** What a thread is handed, as plain data. */
export type Task = {
  unit: Unit
  target: Target
  seed: number
  /** The tier that is run; default: quick. */
  tier?: Tier
  stop: SharedArrayBuffer
  /** Whether it is asked without the document's canaries, to know what it sees by itself. */
  isAlone?: boolean
  /** Longest time one attempt at a check may take, in milliseconds; default: any. */
  attemptMs?: number
  /** What the thread names the work by, where it is still busy when it tells what it found. */
  ticket?: string
}

/** One question put to the target, told to the main thread as soon as it is answered. */
export type Question = { scenario: string; clause: string; unit: string; variant: string } & {
  asked: AskedValue & { status: number; phase: string }
}

/** What a scenario's load is made of, or why there can be none. */
export type Asked = { requests: Request[] } | { absent: string }

/** What a check's attempts came to whose code does not end. */
export type Busy = { kind: 'busy'; ticket: string; findings: Finding[] }
