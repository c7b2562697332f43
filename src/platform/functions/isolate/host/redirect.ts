import type { CallMessage, ResultMessage } from '../message.ts'

/** The most hops a chain of redirects may have, as the fetch standard has it. */
export const longestChain = 20

const redirects = [301, 302, 303, 307, 308]

/** Where a response sends a call on to, if it does and the call follows. */
export function destination(message: CallMessage, result: ResultMessage) {
  if (message.service !== 'fetch' || message.args[1]?.redirect !== 'follow') return undefined
  const { status, headers } = (result.value ?? {}) as { status: number; headers: string[][] }
  if (!redirects.includes(status)) return undefined
  const location = headers.find(([name]) => name!.toLowerCase() === 'location')?.[1]
  return location === undefined ? undefined : { status, location }
}

/** The request a redirect leads to, as the fetch standard has it. */
export function redirected(
  message: CallMessage,
  { status, location }: { status: number; location: string }
): CallMessage {
  const [request, ...rest] = message.args
  const url = new URL(location, request.url).href
  const becomesGet =
    (status === 303 && request.method !== 'HEAD') || (status < 303 && request.method === 'POST')
  if (message.hasBody && !becomesGet)
    throw new TypeError('A streamed body cannot be sent again after a redirect.')
  const isOtherOrigin = new URL(url).origin !== new URL(request.url).origin
  const dropped = [
    ...(becomesGet ? ['content-length', 'content-type', 'content-encoding'] : []),
    ...(isOtherOrigin ? ['authorization', 'cookie', 'host'] : [])
  ]
  const headers = request.headers.filter(
    ([name]: [string]) => !dropped.includes(name.toLowerCase())
  )
  const method = becomesGet ? 'GET' : request.method
  const body = becomesGet ? { bytes: undefined, hasBody: false } : {}
  return { ...message, ...body, args: [{ ...request, url, method, headers }, ...rest] }
}
