import type { Claimed, ClaimKind } from './claims.ts'
import type { Round, Row } from './row.ts'

/** By how much times may be off that are told in whole seconds, in ms. */
export const wholeSecondMs = 1_000
/** By how much a wait may be off for what happens on the way, in ms. */
export const onTheWayMs = 50

/**
 * What one round shows of a field: that it holds, a counterexample, which is `isSure` where no
 * other client can have caused it, or why it is left open. Of waits it may speak for several, of
 * which so many were kept.
 */
export type ClaimCheck = {
  field: string
  counterexample?: string
  holds?: string
  open?: string
  isSure?: true
  waits?: { kept: number; of: number }
}

/** What was asked in a round from its refusal on, in order, up to the first that was accepted. */
export function afterRefusal({ retried, due, polled }: Round): Row[] {
  return [...(retried ? [retried] : []), ...due, ...polled]
}

/** What an answer claims of a kind in one field. */
export function claimIn(
  { claims }: Row,
  kind: ClaimKind,
  field: string | undefined
): Claimed | undefined {
  return claims[kind].find((one) => one.field === field)
}

/** A time in ms, in seconds for people. */
export function seconds(ms: number): string {
  return `${Number((ms / 1_000).toPrecision(2)).toLocaleString('en')} s`
}
