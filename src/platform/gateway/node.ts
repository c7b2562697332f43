import requestBy from 'undici/lib/api/api-request.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import { type Egress, EgressRefused, guarded } from '../kernel/egress/egress.ts'
import type { Call, Outcome } from './call.ts'
import { type Fault, internal, limitExceeded, unavailable } from './fault.ts'
import { membersOf } from './json-text.ts'

/** Something that speaks JSON-RPC, and is asked one call at a time or many. */
export type Node = {
  /** Never rejects: a node that fails is an error of JSON-RPC. */
  ask(call: Call, gone?: AbortSignal): Promise<Outcome>
  close(): Promise<void>
}

/** How much is asked of a node at once, and how long and how much it may answer. */
export type NodeLimits = {
  /** Calls that are with the node. */
  inFlight: number
  /** Calls that are with it or wait for their turn. */
  pending: number
  answerMs: number
  answerBytes: number
}

/** The outcome of a call that came to nothing. */
export function failed(fault: Fault): Outcome {
  return { error: JSON.stringify(fault) }
}

/**
 * The node at an HTTP address, over connections that are kept; with a guard, only where that lets
 * them.
 */
export function nodeAt(address: string, limits: NodeLimits, egress?: Egress): Node {
  const { origin, pathname, search } = new URL(address)
  const timeout = { timeout: limits.answerMs }
  const pool = new Pool(origin, {
    allowH2: false,
    connections: limits.inFlight,
    ...(egress ? { connect: guarded(egress, timeout) } : { connectTimeout: limits.answerMs }),
    headersTimeout: limits.answerMs,
    bodyTimeout: limits.answerMs,
    maxResponseSize: limits.answerBytes
  })
  let pending = 0
  let asked = 0

  async function send({ method, params }: Call, signal: AbortSignal): Promise<Outcome> {
    const id = ++asked
    const { body } = await requestBy.call(pool, {
      method: 'POST',
      path: pathname + search,
      headers: { 'content-type': 'application/json' },
      body: question({ method, params, id }),
      signal
    })
    return outcomeOf(await body.text(), id) ?? failed(internal('the node answers no JSON-RPC'))
  }

  return {
    async ask(call, gone) {
      if (pending >= limits.pending) return failed(limitExceeded('too many calls at once'))
      pending++
      const deadline = deadlineOf(limits.answerMs, gone)
      try {
        return await send(call, deadline.signal)
      } catch (error) {
        return failed(faultOf(error))
      } finally {
        deadline.end()
        pending--
      }
    },
    close: () => pool.destroy()
  }
}

/** A signal for when nobody waits any more; `AbortSignal.timeout` would outlive every call. */
function deadlineOf(ms: number, gone?: AbortSignal): { signal: AbortSignal; end(): void } {
  const stop = new AbortController()
  const late = setTimeout(() => stop.abort(new DOMException('late', 'TimeoutError')), ms)
  const leave = () => stop.abort()
  if (gone?.aborted) leave()
  gone?.addEventListener('abort', leave)
  return {
    signal: stop.signal,
    end() {
      clearTimeout(late)
      gone?.removeEventListener('abort', leave)
    }
  }
}

/** The node is given ids of the gateway's own, since not every node takes every id. */
function question({ method, params, id }: { method: string; params?: string; id: number }) {
  const rest = params === undefined ? '' : `,"params":${params}`
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${rest}}`
}

/** What a node's answer says, whatever its HTTP status; undefined when it is none to the call. */
function outcomeOf(text: string, id: number): Outcome | undefined {
  let answer: any
  try {
    answer = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return undefined
  const members = membersOf(text)
  const { id: answered, error } = answer
  // Some nodes say `"error":null` beside a result.
  if (error !== undefined && error !== null) {
    const isTold = typeof error === 'object' && Number.isInteger(error.code)
    return isTold && [id, null, undefined].includes(answered)
      ? { error: members.get('error')! }
      : undefined
  }
  const result = members.get('result')
  return result !== undefined && answered === id ? { result } : undefined
}

function faultOf(error: unknown): Fault {
  if (error instanceof EgressRefused)
    return unavailable('the node is where the platform may not reach: start it with --allow-egress')
  const { code, name } = error as { code?: string; name?: string }
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return limitExceeded('the node answers more than the gateway passes on')
  const isLate = name === 'TimeoutError' || /TIMEOUT/.test(code ?? '')
  return unavailable(isLate ? 'the node takes too long' : 'the node cannot be reached')
}
