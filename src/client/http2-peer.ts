/** Why a reply is none, where what came is the beginning of HTTP/2 in place of HTTP/1.1. */
export const http2Alone = 'not HTTP/1.1: it speaks HTTP/2 without being asked to'

/**
 * Whether bytes, as text, are the head of a SETTINGS frame of the connection, by which every server
 * of HTTP/2 begins (RFC 9113, section 3.4). No response of HTTP/1.1 begins with a zero.
 */
export function isHttp2Preface(text: string): boolean {
  const [first, type, flags] = [0, 3, 4].map((at) => text.charCodeAt(at))
  return first === 0 && type === 4 && flags === 0 && text.slice(5, 9) === '\0\0\0\0'
}
