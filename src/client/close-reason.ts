import type { Reply } from './reply.ts'

/** How far a question had got when its connection was closed, as a sentence. */
export function closeReason(
  reply: Pick<Reply, 'status' | 'headers' | 'received' | 'sent'> & { bodyBytes: number }
): string {
  const { status, headers, received, sent, bodyBytes } = reply
  if (status > 0) {
    const promised = headers['content-length']
    const whole = promised === undefined ? '' : ` of ${promised}`
    return `HTTP ${status}, but closed after ${received}${whole} bytes of the answer's body`
  }
  if (bodyBytes === 0) return 'closed before any answer'
  return `closed after ${sent} of ${bodyBytes} body bytes, before any answer`
}
