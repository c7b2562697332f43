/** One comparison of a filter. */
export type Condition = { key: string; operator: string; value: string }

/** A filter, or what could be taken for one. */
export type Filter = { [word: string]: unknown }

/** The condition that every request of these scenarios meets, unless it says otherwise. */
export const get: Condition = { key: 'ClientRequestMethod', operator: 'eq', value: 'GET' }

/** A field is equal to a value. */
export function eq(key: string, value: string): Condition {
  return { key, operator: 'eq', value }
}

/** All of the parts hold. */
export function and(...parts: Filter[]): Filter {
  return { and: parts }
}

/** One of the parts holds. */
export function or(...parts: Filter[]): Filter {
  return { or: parts }
}

/** A filter as it is sent: JSON, as a string. */
export function where(filter: Filter): string {
  return JSON.stringify({ where: filter })
}
