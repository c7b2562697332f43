import { headerLines, methodOf, type Prepared, type Request } from '../requests/request.ts'
import { flags, frame, frames, maxPayload } from './frame.ts'
import { encodeFields } from './header-encoder.ts'
import type { StreamStart } from './session.ts'

/** A request as it goes over HTTP/2, for a stream that is still to be chosen. */
export type RequestFrames = StreamStart & {
  /** Undefined without one. */
  body: Buffer | undefined
}

/** What says how an HTTP/1.1 connection is used; a stream has none to use. */
const ofConnections = new Set(['connection', 'proxy-connection'])

/** The fields of a request's head, those of its line first. */
export function requestFields(request: Request): [name: string, value: string][] {
  const { protocol, host, pathname, search } = new URL(request.url)
  const method = methodOf(request)
  const given = headerLines(request)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => !ofConnections.has(name))
  const authority = given.find(([name]) => name === 'host')?.[1] ?? host
  const fields = given.filter(([name]) => name !== 'host')
  const bytes = Buffer.byteLength(request.body ?? '')
  const saysLength = fields.some(([name]) => name === 'content-length')
  if (!saysLength && (bytes > 0 || /^(POST|PUT|PATCH)$/.test(method))) {
    fields.push(['content-length', `${bytes}`])
  }
  return [
    [':method', method],
    [':scheme', protocol.slice(0, -1)],
    [':authority', authority],
    [':path', `${pathname}${search}`],
    ...fields
  ]
}

/** The frames that open a stream with these fields; of none where no id says which. */
export function headFrames(
  fields: readonly (readonly [name: string, value: string])[],
  isLast: boolean,
  id = 0
): Buffer {
  const block = encodeFields(fields)
  const parts = Math.max(1, Math.ceil(block.length / maxPayload))
  const made = Array.from({ length: parts }, (_, part) => {
    const [isFirst, isEnd] = [part === 0, part === parts - 1]
    const flag = (isFirst && isLast ? flags.endStream : 0) | (isEnd ? flags.endHeaders : 0)
    const payload = block.subarray(part * maxPayload, (part + 1) * maxPayload)
    return frame(isFirst ? frames.headers : frames.continuation, id, payload, flag)
  })
  return Buffer.concat(made)
}

const known = new WeakMap<Prepared | Request, RequestFrames>()

/** The frames of a prepared request; worked out once for each, or for each that is frozen. */
export function framesOf(prepared: Prepared): RequestFrames {
  const { request } = prepared
  const key = Object.isFrozen(request) ? request : prepared
  const found = known.get(key)
  if (found !== undefined) return found
  const bytes = Buffer.from(request.body ?? '')
  const body = bytes.length > 0 ? bytes : undefined
  const isLast = body === undefined
  const head = headFrames(requestFields(request), isLast)
  const made = { head, isLast, body, bodiless: prepared.bodiless }
  known.set(key, made)
  return made
}
