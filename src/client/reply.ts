import * as v from 'valibot'
import { finite } from '../number.ts'

/** What is kept of a reply, as it has to look: numbers that JSON knows, the words of `Reply`. */
export const keptSchema = v.looseObject({
  kind: v.picklist(['answered', 'refused', 'unsent', 'closed', 'timeout', 'garbage']),
  status: finite,
  phase: v.picklist(['connect', 'headers', 'body', 'end']),
  sent: finite,
  because: v.string(),
  request: v.looseObject({ method: v.string(), url: v.string(), bodyBytes: finite })
})

/** How far a request had gone when its answer began or its connection ended. */
export type ReplyPhase = 'connect' | 'headers' | 'body' | 'end'

/**
 * What came back for one request, a dead connection included: nothing a target does is a throw.
 *
 * - `answered`: a complete HTTP response
 * - `refused`: no connection was made
 * - `unsent`: nothing was sent, for want of descriptors here or of leave, which says nothing of the
 *   target
 * - `closed`: the connection ended before a complete response
 * - `timeout`: nothing moved for the request's timeout
 * - `garbage`: bytes came that are not HTTP
 */
export type Reply = {
  kind: 'answered' | 'refused' | 'unsent' | 'closed' | 'timeout' | 'garbage'
  /** HTTP status; 0 unless a status line was read. */
  status: number
  /** Response headers by lower-case name, repeated ones joined by a comma. */
  headers: Record<string, string>
  /** The body as text, its first 64 KiB. */
  body: string
  /** The parsed body, undefined when it is not JSON. */
  json: any
  /** Bytes of response body received. */
  received: number
  /** Bytes of request body handed to the connection before the answer began. */
  sent: number
  phase: ReplyPhase
  /** Milliseconds from the first byte sent to the end of the response. */
  ms: number
  /** What happened, in words: `HTTP 413`, or why there is no answer. */
  because: string
  request: {
    method: string
    url: string
    bodyBytes: number
    /** Bytes of names and values of all headers that were sent; known of what `send` sends. */
    headerBytes?: number
  }
}

/** Whether the target gave a complete HTTP response, whatever its status. */
export function isAnswered(reply: Reply): boolean {
  return reply.kind === 'answered'
}

/** Whether the response says success: answered, with a status of 200 to 299. */
export function isOk(reply: Reply): boolean {
  return isAnswered(reply) && reply.status >= 200 && reply.status < 300
}

/**
 * What a scenario may ask about that is no evidence else: a status, or a way not to answer;
 * `garbage` are also answers that are not an endpoint's own by their form.
 */
export type ExpectedReply = number | Exclude<Reply['kind'], 'answered' | 'unsent'>

/**
 * Statuses about when, how often, where or by which way to ask: whoever sends one has not heard the
 * question. 407 and 511 are those of a proxy and of a network that want a sign-in, 421 is that of a
 * server for other hosts.
 */
const beside: readonly number[] = [407, 408, 421, 425, 429, 502, 503, 504, 511]

/** Whether a CDN says with this status that nothing came of the server behind it. */
function isOfNoOrigin(status: number): boolean {
  return status >= 520 && status <= 530
}

/** Whether a status only leads elsewhere, such as to a login page; 304 does not. */
export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304
}

/**
 * Whether anything can be concluded from a reply: no answer, an outage, a limit on requests and a
 * redirect are no evidence, neither for nor against, unless they are what was asked about.
 */
export function isEvidence(
  { kind, status }: Pick<Reply, 'kind' | 'status'>,
  expected: readonly ExpectedReply[] = []
): boolean {
  if (kind === 'unsent') return false
  if (kind !== 'answered') return expected.includes(kind)
  const isBeside = beside.includes(status) || isOfNoOrigin(status) || isRedirect(status)
  return expected.includes(status) || !isBeside
}

/** The part of a reply that is kept as evidence: short, and plain data. */
export type Exchange = Pick<Reply, 'kind' | 'status' | 'phase' | 'sent' | 'because' | 'request'> & {
  /** The beginning of the response body, at most 2,000 characters. */
  excerpt: string
}

/** A reply cut down to what a report needs. */
export function exchange(reply: Reply): Exchange {
  const { kind, status, phase, sent, because, request, body } = reply
  const { length } = request.url
  const url = length > 200 ? `${request.url.slice(0, 200)}… (${length})` : request.url
  const excerpt = body.slice(0, 2_000)
  return { kind, status, phase, sent, because, request: { ...request, url }, excerpt }
}

/** What a reply said, on one line that is short enough for a report. */
export function said({ because, body }: Pick<Reply, 'because' | 'body'>, most = 160): string {
  const text = body.replaceAll(/\s+/g, ' ').trim()
  const excerpt = text.length > most ? `${text.slice(0, most)}…` : text
  return [because, excerpt].filter(Boolean).join(' ')
}
