/** How a backend answers a request; the request's own URL tells it. */
export type Manner = {
  /** What the request goes by in `Seen.order`. */
  name?: string
  /** HTTP status; default 200. */
  status?: number
  /** Bytes of body, the payload's; default 2. */
  bytes?: number
  /** Milliseconds before the head is sent. */
  delayMs?: number
  /** Keeps back the head, or all of the body but its first byte, until the lane is released. */
  hold?: 'head' | 'body'
  /** Milliseconds before each byte of the body, which then comes one by one. */
  dripMs?: number
  /** How many redirects lead to the answer; each is a request of its own. */
  hops?: number
  /** Value of `Cache-Control`; without it nothing is said. */
  cache?: string
}

const numbers = ['status', 'bytes', 'delayMs', 'dripMs', 'hops']

/** The query of a URL that is answered in this manner. */
export function queryOf(manner: Manner): string {
  const pairs = Object.entries(manner).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, String(value)]]
  )
  return new URLSearchParams(pairs).toString()
}

/** The manner that a URL's query tells. */
export function mannerOf(query: URLSearchParams): Manner {
  const pairs = [...query].map(([key, value]) => [key, numbers.includes(key) ? +value : value])
  return Object.fromEntries(pairs)
}
