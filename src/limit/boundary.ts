/** One value asked, and what came back, in the order asked. */
export type AskedValue = {
  value: number
  kind: 'accepted' | 'rejected' | 'unclear'
  proper: boolean
  because: string
}

/**
 * Where a target really draws the line.
 *
 * - `found`: `accepted` is the largest accepted value, `rejected` the smallest rejected one, and no
 *   value in between is left to ask at the search's resolution
 * - `unlimited`: everything up to the ceiling was accepted; `rejected` is undefined
 * - `closed`: nothing was accepted, not even the smallest value; `accepted` is undefined
 * - `unclear`: the answers contradict each other, or there were none; `because` says which
 */
export type Boundary = {
  kind: 'found' | 'unlimited' | 'closed' | 'unclear'
  accepted?: number
  rejected?: number
  /** How often each side of the boundary was asked and confirmed. */
  repeats: { accepted: number; rejected: number }
  because: string
  asked: AskedValue[]
}
