import type { Response } from '../kernel/http/message.ts'

/** What there is to know of a response once all of it is there but its end. */
export type Sealed = {
  status: number
  /** The value of its Content-Type; '' without one. */
  type: string
  /** Bytes of body. */
  bytes: number
}

/**
 * Lets nobody have the end of a response before `seal` has resolved, which is called once.
 * A response whose length was announced is complete with its last
 * byte and not with its end, so that part waits too. One that is cut off is sealed as it is.
 */
export function sealed(response: Response, seal: (whole: Sealed) => Promise<void>) {
  const { writeHead, write, end } = response
  const held: Uint8Array[] = []
  let announced = Infinity
  let type = ''
  let bytes = 0
  let isSealed = false
  const sealOnce = async () => {
    if (isSealed) return
    isSealed = true
    // Whatever becomes of the seal, the response is owed to the client.
    await seal({ status: response.statusCode, type, bytes }).catch(process.emitWarning)
  }
  const take = (chunk: unknown, encoding: unknown): Uint8Array => {
    const part =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as 'utf8') : 'utf8')
        : (chunk as Uint8Array)
    bytes += part.length
    return part
  }

  response.writeHead = ((...head: Parameters<typeof writeHead>) => {
    const named = (name: string) => headerIn(head.at(-1), name) ?? response.getHeader(name)
    announced = Number(named('content-length') ?? Infinity)
    type = String(named('content-type') ?? '')
    return writeHead.apply(response, head)
  }) as typeof writeHead
  response.write = ((chunk: unknown, ...rest: unknown[]) => {
    const part = take(chunk, rest[0])
    if (bytes < announced) return write.apply(response, [part, ...rest.filter(isCallback)] as never)
    held.push(part)
    for (const written of rest.filter(isCallback)) queueMicrotask(written)
    return true
  }) as typeof write
  response.end = ((...given: unknown[]) => {
    const [chunk, encoding] = given
    if (chunk != null && !isCallback(chunk)) held.push(take(chunk, encoding))
    const last = held.length > 0 ? [Buffer.concat(held)] : []
    sealOnce().then(() => end.apply(response, [...last, ...given.filter(isCallback)] as never))
    return response
  }) as typeof end
  response.once('close', sealOnce)
}

/** The value of a header, given in lower case, in an object or in a list of names and values. */
function headerIn(headers: unknown, wanted: string): unknown {
  if (typeof headers !== 'object' || headers === null) return undefined
  const flat: unknown[] = Array.isArray(headers) ? headers : Object.entries(headers).flat()
  const at = flat.findIndex(
    (name, index) => index % 2 === 0 && String(name).toLowerCase() === wanted
  )
  return at < 0 ? undefined : flat[at + 1]
}

function isCallback(value: unknown): value is () => void {
  return typeof value === 'function'
}
