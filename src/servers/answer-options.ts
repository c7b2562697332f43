/** How a backend answers a request; the request's own URL tells it. */
export type AnswerOptions = {
  /** What the request goes by in `ChannelCounts.order`. */
  name?: string
  /** HTTP status; default 200. */
  status?: number
  /** Bytes of body, the payload's; default 2. */
  bytes?: number
  /** Its media type; default `application/octet-stream`. */
  type?: string
  /** Whether the body says how long it is, as by default, or comes in chunks. */
  framing?: 'length' | 'chunked'
  /** Milliseconds before the head is sent. */
  delayMs?: number
  /** Keeps back the head, or all of the body but its first byte, until the channel is released. */
  hold?: 'head' | 'body'
  /** Milliseconds before each byte of the body, which then comes one by one. */
  dripMs?: number
  /** So many of its channel's requests, the first ones, have their connection cut unanswered. */
  cuts?: number
  /** How many redirects lead to the answer; each is a request of its own. */
  hops?: number
  /** HTTP status of these redirects; default 302. */
  via?: number
  /** Where each of them leads, and from there back here; by default it stays here. */
  to?: string
  /** Value of `Cache-Control`; without it nothing is said. */
  cache?: string
  /** A header, in lower case, that is answered with the value it was asked with. */
  returned?: string
}

const numbers = ['status', 'bytes', 'delayMs', 'dripMs', 'cuts', 'hops', 'via']

/** The query of a URL that is answered in this wanted. */
export function queryOf(wanted: AnswerOptions): string {
  const pairs = Object.entries(wanted).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, String(value)]]
  )
  return new URLSearchParams(pairs).toString()
}

/** The wanted that a URL's query tells. */
export function answerOptionsOf(query: URLSearchParams): AnswerOptions {
  const pairs = [...query].map(([key, value]) => [key, numbers.includes(key) ? +value : value])
  return Object.fromEntries(pairs)
}
