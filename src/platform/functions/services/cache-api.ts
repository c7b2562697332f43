import { lifetimeMs } from '../../edge/cache-freshness.ts'
import type { Cache } from '../../edge/cache-store.ts'
import { valuesOf } from '../../edge/served.ts'
import { whole } from '../../kernel/data/files.ts'
import type { Caller, RequestHead, ResponseHead } from '../isolate/contract.ts'
import type { Service } from './service.ts'

/** What is put without a lifetime of its own is kept for so long; the document is silent. */
const usualMs = 7_200_000

/**
 * The cache that functions use themselves. What an account puts there only its own functions find;
 * a put that fails leaves nothing, and one that is too large fails.
 */
export function cacheService({
  cache,
  accountOf,
  limitOf,
  now
}: {
  cache: Cache
  accountOf: (caller: Caller) => string
  /** How large an object may be for this caller, in bytes. */
  limitOf: (caller: Caller) => number
  now: () => number
}): Service {
  const keyOf = (id: string, { url }: RequestHead, caller: Caller) =>
    `function ${accountOf(caller)} ${id} ${url}`
  return {
    async match({ id, args: [request, options] }, caller) {
      const isAsked = request.method === 'GET' || options?.ignoreMethod
      const hit = isAsked
        ? await cache.match(keyOf(id, request, caller), request.headers)
        : undefined
      if (hit === undefined) return { value: null }
      return { value: { status: hit.status, headers: hit.headers }, body: hit.body }
    },
    async put({ id, args: [request, response], body }, caller) {
      const { status, headers }: ResponseHead = response
      check(request, response)
      const limitBytes = limitOf(caller)
      const says = headers.some(([name]) => /^(cache-control|expires)$/i.test(name))
      const forMs = says ? lifetimeMs(headers, now()) : usualMs
      const key = keyOf(id, request, caller)
      const about = { key, request: request.headers, lifetimeMs: forMs, limitBytes }
      const passing = cache.keeping(body ?? whole(Buffer.alloc(0)), { status, headers, ...about })
      const [declared = '0'] = valuesOf(headers, 'content-length')
      checkSize(Number(declared), limitBytes)
      let bytes = 0
      for await (const chunk of passing) {
        bytes += chunk.length
        checkSize(bytes, limitBytes)
      }
      return {}
    },
    async delete({ id, args: [request] }, caller) {
      return { value: await cache.forget(keyOf(id, request, caller)) }
    }
  }
}

function checkSize(bytes: number, limitBytes: number) {
  if (bytes > limitBytes)
    throw new RangeError(`An object in the cache has at most ${limitBytes} bytes.`)
}

function check({ method }: RequestHead, { status, headers }: ResponseHead) {
  if (method !== 'GET') throw new TypeError('Only answers to GET can be put into a cache.')
  if (status === 206) throw new TypeError('Only whole answers can be put into a cache.')
  if (headers.some(([name, value]) => /^vary$/i.test(name) && value.includes('*')))
    throw new TypeError('An answer that varies with everything cannot be put into a cache.')
}
