import type { Claims } from './claims.ts'

/** One answer in a row of questions asked one after another, in ms of the clock. */
export type Row = {
  kind: 'accepted' | 'rejected' | 'unclear'
  status: number
  sent: number
  answered: number
  claims: Claims
  because: string
}

/** Questions after a rest, until one was refused, and what came after that. */
export type Round = {
  /** For how many ms nothing was asked before. */
  restMs: number
  /** Whether nothing was asked before for as long as the answers said that all takes to be back. */
  isRested: boolean
  /** The same for twice as long. */
  isRestedTwice: boolean
  /** Those accepted, from the first after the rest on, without a refusal between them. */
  accepted: Row[]
  /** How many came between them that failed, for which the limit may have counted them or not. */
  failed: number
  refused?: Row
  /** What was asked once the wait that the refusal named was over, where it named one. */
  retried?: Row
  /** Those asked when all was to be back by what the refusal said, with silence before each. */
  due: Row[]
  /** Those asked from then on, up to the first that was accepted. */
  polled: Row[]
  /** What was asked when as many as before were back, where that was sooner than was said. */
  full?: Row
  /** Those that went out together, where nothing was refused one after another. */
  together?: Row[]
}

/** What is said of one field: whether it holds, and what shows it. */
export type ClaimFinding = {
  field: string
  verdict: 'true' | 'false' | 'unsaid'
  because: string
  /** Whether it is unsaid for want of time. */
  isTimeUp?: true
}
