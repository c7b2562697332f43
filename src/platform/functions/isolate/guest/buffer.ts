import { getCallSites } from 'node:util'
import { replaceClass } from './replace.ts'

/**
 * What Node's own `Response` and `Request` are made with, by its name as a global: it is there for
 * what belongs to Node, and for nobody else.
 */
export function hideBuffer() {
  const { Buffer, Response, TextEncoder } = globalThis
  const { startsWith } = String.prototype
  const { apply, construct } = Reflect
  const get = () => {
    const caller = getCallSites(2)[1]?.scriptName ?? ''
    return apply(startsWith, caller, ['node:']) ? Buffer : undefined
  }
  Object.defineProperty(globalThis, 'Buffer', { get, enumerable: false })
  // To look who asks takes longer than most answers do, and most answers are text.
  const encoder = new TextEncoder()
  const encode = encoder.encode.bind(encoder)
  const { get: headersOf } = Object.getOwnPropertyDescriptor(Response.prototype, 'headers')!
  const { has, set } = Headers.prototype
  const OwnResponse = function (this: unknown, ...given: unknown[]) {
    if (!new.target) throw new TypeError('A Response is made with new.')
    if (typeof given[0] !== 'string') return construct(Response, given, new.target)
    const response = construct(Response, [encode(given[0]), given[1]], new.target)
    const headers = apply(headersOf!, response, [])
    if (!apply(has, headers, ['content-type']))
      apply(set, headers, ['content-type', 'text/plain;charset=UTF-8'])
    return response
  } as unknown as typeof Response
  replaceClass('Response', OwnResponse)
}
