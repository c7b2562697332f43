/** What a key holds: undefined where there is nothing. */
export type Value = string | undefined

/**
 * One operation on a key, by the moments a client saw. A write without an answer is `open`: it may
 * have happened, at any moment up to `to`, or not. A read without an answer says nothing, and is
 * in no history.
 */
export type Operation = {
  kind: 'write' | 'read'
  value: Value
  from: number
  to: number
  isOpen?: boolean
}

/** What was done to one key, in any order. */
export type History = readonly Operation[]
