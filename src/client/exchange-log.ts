import type { Client, RequestOptions } from './client.ts'
import type { RawRequest } from './raw-request.ts'
import { type ExpectedReply, isEvidence, type Reply } from './reply.ts'

/** Whether an answer can be the service's own, whatever it says. */
type IsOwn = (reply: Reply) => boolean

/**
 * What came back from a target since the last `clear`, whoever looked at it. A scenario that has
 * drawn a conclusion may have lost the request that it rests on; the ledger has not.
 */
export type ExchangeLog = {
  /** The client of the endpoint called `name`, whose replies are kept from now on. */
  keep: (name: string, client: Client) => Client
  /** How many requests each endpoint was sent. */
  asked: () => ReadonlyMap<string, number>
  /** How many requests had an answer, be it one or another. */
  answered: () => number
  /** The first reply of all. */
  first: () => Reply | undefined
  /** The first reply that is no evidence, in words; undefined when there was none. */
  gap: () => string | undefined
  /** The first answer that is not the endpoint's own by its form, in words. */
  foreign: () => string | undefined
  /** Why a reply is no evidence; undefined when it is. */
  gapIn: (reply: Reply) => string | undefined
  clear: () => void
}

/** A ledger in which some replies are expected that are no evidence otherwise. */
export function createExchangeLog(options: {
  expected?: readonly ExpectedReply[]
  /** By endpoint; one that is not named takes every answer for its own. */
  isOwn?: Readonly<Record<string, IsOwn | undefined>>
}): ExchangeLog {
  const { expected, isOwn = {} } = options
  const asked = new Map<string, number>()
  let answered = 0
  let first: Reply | undefined
  let gap: string | undefined
  let foreign: string | undefined

  const gapIn = (reply: Reply) =>
    isEvidence(reply, expected) ? undefined : `${reply.because}, which is no evidence`
  const note = async (name: string, coming: Promise<Reply>): Promise<Reply> => {
    asked.set(name, (asked.get(name) ?? 0) + 1)
    const reply = await coming
    if (reply.kind === 'answered') answered++
    first ??= reply
    gap ??= gapIn(reply)
    if (isOwn[name]?.(reply) === false) {
      foreign ??= `${reply.because}, which is no answer of ${name}’s own`
    }
    return reply
  }
  const keep = (name: string, client: Client): Client => {
    const noting = (method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options') => {
      return (path: string, how?: RequestOptions) => note(name, client[method](path, how))
    }
    return {
      url: client.url,
      headers: client.headers,
      get: noting('get'),
      post: noting('post'),
      put: noting('put'),
      patch: noting('patch'),
      delete: noting('delete'),
      head: noting('head'),
      options: noting('options'),
      ask: (method, path, how) => note(name, client.ask(method, path, how)),
      send: (question: RawRequest) => note(name, client.send(question)),
      as: (host) => keep(name, client.as(host)),
      with: (headers) => keep(name, client.with(headers)),
      reach: client.reach,
      close: client.close
    }
  }
  return {
    keep,
    asked: () => asked,
    answered: () => answered,
    first: () => first,
    gap: () => gap,
    foreign: () => foreign,
    gapIn,
    clear() {
      asked.clear()
      answered = 0
      first = undefined
      gap = undefined
      foreign = undefined
    }
  }
}
