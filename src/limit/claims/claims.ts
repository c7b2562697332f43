/**
 * A number that an answer claims, the field that says so, and the text it has there; `isBare` where
 * that is a time without a unit, which is read as seconds until answers show that it is in ms.
 */
export type Claimed = {
  field: string
  value: number
  text: string
  isBare?: true
  /** Of a time of day: when that is by the server's clock, and the answer's `Date`, in ms. */
  day?: { at: number; date: number }
}

/** What is left of one policy, by the field that tells the policy, and in how many ms all is. */
export type PolicyLeft = Claimed & { resetMs?: number }

/** A field about limits that nobody can go by, or that is not held to its word here, and why. */
export type Unread = { field: string; because: string; isFalse?: true }

/** What the headers of one answer claim about how often one may ask, each as often as it does. */
export type Claims = {
  /** How many are allowed, and in how many ms. */
  limit: Claimed[]
  windowMs: Claimed[]
  /** How many are left. */
  remaining: Claimed[]
  /** In how many ms from the answer on all are back. */
  resetMs: Claimed[]
  /** How many ms to wait for, from the answer on. */
  retryMs: Claimed[]
  /** How many the other policies allow, where there is more than one, and in how many ms. */
  apart: Claimed[]
  apartWindowMs: Claimed[]
  /** What is left of each policy that is told, where there is more than one. */
  left: PolicyLeft[]
  /** What else there is about limits, so that none is passed over in silence. */
  unread: Unread[]
}

/** A kind of claim that is a number. */
export type ClaimKind = Exclude<keyof Claims, 'unread'>

/** The claims of an answer that claims nothing. */
export function noClaims(): Claims {
  return {
    limit: [],
    windowMs: [],
    remaining: [],
    resetMs: [],
    retryMs: [],
    apart: [],
    apartWindowMs: [],
    left: [],
    unread: []
  }
}

/** A header's name as it is told to people. */
export function fieldName(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase())
}

/** A header's text, no longer than fits on a line. */
export function shortText(text: string): string {
  const trimmed = text.trim()
  return trimmed.length > 60 ? `${trimmed.slice(0, 60)}…` : trimmed
}
