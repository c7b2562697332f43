import { type Body, createBody } from './body.ts'
import { type BodyReader, framed } from './framing.ts'
import { bodyLength, type Head, type Length, NotHttp, parseHead, quoted } from './head.ts'

const longestHeadBytes = 1_048_576
const opening = 'HTTP/1.'

/** How much of a response has come; `head` means a part of one. */
export type ResponseProgress = 'nothing' | 'head' | 'body' | 'complete' | 'garbage'

/** A response while it comes in; interim ones (1xx) do not count. */
export type IncomingResponse = {
  /** Takes the next bytes; what comes after a complete response is ignored. */
  feed: (bytes: Buffer) => void
  /** Says that the other side has ended the connection in an orderly way. */
  end: () => void
  progress: () => ResponseProgress
  /** Whether a 100 Continue has come. */
  isInvited: () => boolean
  /** Status 0 and no headers until they have come. */
  head: () => Head
  /** Bytes of body that the head promises; undefined where it does not say. */
  promised: () => number | undefined
  body: Body
  /** What is wrong with the bytes that came; '' unless they are garbage. */
  fault: () => string
}

/** The response to a request with this method, of which nothing has come yet. */
export function createResponse(method: string): IncomingResponse {
  const body = createBody()
  let head: Head = { status: 0, headers: {} }
  let pending: Buffer = Buffer.alloc(0)
  let length: Length | undefined
  let framing: BodyReader | undefined
  let isInvited = false
  let isComplete = false
  let fault = ''

  /** Reads heads off the pending bytes until one is final; returns what follows, its body. */
  const takeHeads = (): Buffer => {
    for (let end = endOfHead(pending); end !== undefined; end = endOfHead(pending)) {
      const found = parseHead(pending.toString('latin1', 0, end))
      pending = pending.subarray(end + 4)
      if (found.status === 101) throw new NotHttp('101, but no other protocol was asked for')
      isInvited ||= found.status === 100
      if (found.status < 200) continue
      head = found
      length = bodyLength(head, method)
      framing = framed(length, body)
      return pending
    }
    return Buffer.alloc(0)
  }
  const take = (bytes: Buffer) => {
    if (framing === undefined) {
      pending = Buffer.concat([pending, bytes])
      bytes = takeHeads()
    }
    isComplete = framing?.(bytes) ?? false
  }

  return {
    feed(bytes) {
      if (isComplete || fault !== '') return
      try {
        take(bytes)
      } catch (cause) {
        if (!(cause instanceof NotHttp)) throw cause
        fault = cause.message
      }
    },
    end() {
      isComplete ||= length === 'close'
    },
    progress() {
      if (fault !== '') return 'garbage'
      if (isComplete) return 'complete'
      if (framing !== undefined) return 'body'
      return pending.length > 0 ? 'head' : 'nothing'
    },
    isInvited: () => isInvited,
    head: () => head,
    promised: () => (typeof length === 'number' ? length : undefined),
    body,
    fault: () => fault
  }
}

/** Where the head at the start of `bytes` ends, undefined while it has not; throws `NotHttp`. */
function endOfHead(bytes: Buffer): number | undefined {
  const start = bytes.toString('latin1', 0, opening.length)
  if (!opening.startsWith(start)) {
    throw new NotHttp(`it begins with ${quoted(bytes.toString('latin1', 0, 60))}`)
  }
  const end = bytes.indexOf('\r\n\r\n')
  if (end >= 0) return end
  if (bytes.includes('\n\n')) throw new NotHttp('its lines do not end in CR LF')
  if (bytes.length > longestHeadBytes) throw new NotHttp('its head does not end within 1 MiB')
  return undefined
}
