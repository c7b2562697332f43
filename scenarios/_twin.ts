import { once } from 'node:events'
import { request } from 'node:http'
import { json as parsed, text } from 'node:stream/consumers'
import { type Adapter, type Context, isOk, type Look, type Reply } from 'plimsoll'
import { soonMs, times } from './_mute.ts'

/** Where something is asked over HTTP, and the headers that each request has there. */
type Place = { url: string; headers?: Record<string, string> }

/** Another target, made as the first one is, which may be brought down by what is asked of it. */
export type Twin = {
  management: Place
  edge: Place
  /** What it can do beyond its API. */
  adapter: Adapter
  end(): Promise<void>
}

declare module 'plimsoll' {
  interface Adapter {
    /** Starts another target that shares nothing with this one but how it is made. */
    twin?: () => Promise<Twin>
  }
}

/** What a twin is asked. */
type Question = {
  method?: string
  path: string
  headers?: Record<string, string>
  json?: unknown
  body?: string
}

/** How long a twin may take for an answer, which nobody else asks for anything. */
const silenceMs = 3_000

/** What a twin answers; undefined where nothing comes, or it is not there any more. */
export async function askTwin(
  { url, headers: own }: Place,
  { method = 'GET', path, headers, json, body }: Question
): Promise<{ status: number; json?: any } | undefined> {
  const type = json === undefined ? {} : { 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(silenceMs)
  try {
    const asked = request(url + path, { method, headers: { ...own, ...type, ...headers }, signal })
    asked.end(json === undefined ? body : JSON.stringify(json))
    const [response] = await once(asked, 'response', { signal })
    const isJson = /json/.test(response.headers['content-type'] ?? '')
    const said = await (isJson ? parsed : text)(response)
    return { status: response.statusCode, ...(isJson && { json: said }) }
  } catch {
    return undefined
  }
}

/**
 * What it means that a twin did not answer to what is legal: it goes on, where it answers anything
 * afterwards. One that answered before and stands still from then on is no outage, where the target
 * that is made as it is answers the same at once, each time; undefined where neither can be told.
 */
export async function goesOn(
  asked: string,
  { isAnswering, beside }: { isAnswering: () => Promise<boolean>; beside: () => Promise<Reply> }
): Promise<Look | undefined> {
  let reply: Reply | undefined
  for (let time = 0; time < times; time++) {
    const [isThere, other] = await Promise.all([isAnswering(), beside()])
    if (!isOk(other) || other.ms > soonMs) return undefined
    if (isThere) return { asked, holds: true, saw: 'the next answer comes', reply: other }
    reply = other
  }
  const saw = `nothing is answered from then on, ${times} times, where another of its make does`
  return { asked, holds: false, saw, reply: reply! }
}

/** Uses a twin, which is ended whatever becomes of it. */
export async function withTwin(
  { adapter }: Pick<Context, 'adapter'>,
  use: (twin: Twin) => Promise<void>
): Promise<void> {
  const twin = await adapter.twin()
  try {
    await use(twin)
  } finally {
    await twin.end()
  }
}
