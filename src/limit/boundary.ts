/** One value asked, and what came back, in the order asked. */
export type AskedValue = {
  value: number
  kind: 'accepted' | 'rejected' | 'unclear'
  proper: boolean
  /** Whether the connection ended without an answer, which can have a cause on the way as well. */
  lost?: boolean
  because: string
}

/**
 * How often a value has to be asked before its answers accuse the target. Connections that are lost
 * by chance look like a target that closes them: with one in five lost, each asked again only while
 * a known-good request works, eight in a row are one in 400,000.
 */
export function leastSurprises(answers: readonly AskedValue[]): number {
  return answers.some(({ lost }) => lost) ? 8 : 3
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
