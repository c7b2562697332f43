import type { Pairs, RequestHead, ResponseHead } from '../../contract.ts'
import type { Calls, Result } from '../calls.ts'

const { Request, Response } = globalThis

/** Answers with these have no body, whatever was sent. */
const bodiless = [204, 205, 304]

/** What of a request crosses. */
export function headOf(request: Request): RequestHead {
  return { method: request.method, url: request.url, headers: [...request.headers] as Pairs }
}

/** A response as the function gets it. */
export function responseOf({ value, body }: Result, url = ''): Response {
  const { status, headers } = value as ResponseHead
  if (bodiless.includes(status)) body?.cancel().catch(() => {})
  const response = new Response(bodiless.includes(status) ? null : body, { status, headers })
  return Object.defineProperty(response, 'url', { value: url })
}

/** The body of a request: bytes where all of them are there, so that they can be sent again. */
export async function bodyOf(request: Request, init?: RequestInit) {
  if (request.body === null) return null
  const given = init?.body
  const isWhole = given !== undefined && given !== null && !(given instanceof ReadableStream)
  return isWhole ? new Uint8Array(await request.arrayBuffer()) : request.body
}

type Asked = { request: Request; body: Awaited<ReturnType<typeof bodyOf>> }

/**
 * What is asked. A request that is handed on gives away its own body: a copy of it, as the web has
 * it, would have to pass through here.
 */
async function askedFor(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Asked> {
  if (!(input instanceof Request) || input.body === null || (init?.body ?? null) !== null) {
    const request = new Request(input as string, init)
    return { request, body: await bodyOf(request, init) }
  }
  const { url, method, headers, redirect, signal, body } = input
  if (input.bodyUsed || body.locked)
    throw new TypeError('The body of this request has been used already.')
  const request = new Request(url, { method, headers, redirect, signal, ...init })
  if (['GET', 'HEAD'].includes(request.method))
    throw new TypeError(`A ${request.method} request cannot have a body.`)
  return { request, body }
}

/** Makes the `fetch` of the function: to the internet, through the platform. */
export function createFetch({ call }: Calls): typeof fetch {
  return async (input, init) => {
    const { request, body } = await askedFor(input, init)
    const { redirect, signal, url } = request
    if (!/^https?:/.test(url)) throw new TypeError(`Fetch API cannot load: ${url}`)
    const args = [headOf(request), { redirect }]
    const result = await call({ service: 'fetch', method: 'fetch', args, body }, signal)
    const { url: last = url } = result.value as { url?: string }
    const response = responseOf(result, last)
    if (redirect === 'error' && [301, 302, 303, 307, 308].includes(response.status)) {
      // Nobody else has it, to read it or to let it go.
      response.body?.cancel().catch(() => {})
      throw new TypeError('A redirect was met where none was allowed.')
    }
    return Object.defineProperty(response, 'redirected', { value: last !== url })
  }
}

/** Makes something to send requests to: another function, or a stateful object. */
export function createFetcher(
  { call }: Calls,
  to: { service: string; id: string; leading: unknown[] }
): { fetch: typeof fetch } {
  return {
    async fetch(input, init) {
      const { request, body } = await askedFor(input, init)
      const { service, id, leading } = to
      const args = [...leading, headOf(request)]
      const asked = { service, method: 'fetch', id, args, body }
      return responseOf(await call(asked, request.signal), request.url)
    }
  }
}
