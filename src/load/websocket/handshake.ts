import { createHash, randomBytes } from 'node:crypto'
import { type Request, requestBytes } from '../requests/request.ts'
import { agrees, deflateOffer } from './message-deflate.ts'

/** One opening handshake (RFC 6455, section 4). */
export type Handshake = {
  bytes: Buffer
  /**
   * What a response comes to, its headers by lower-case name: whether messages are packed from now
   * on, or what is wrong with it, in words.
   */
  check(status: number, headers: Readonly<Record<string, string>>): { packs: boolean } | string
}

/** What the key is joined with before it is answered. */
const suffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

function nameIn(headers: Request['headers'], name: string): string | undefined {
  const found = Object.entries(headers ?? {}).find(([one]) => one.toLowerCase() === name)
  return found === undefined ? undefined : `${found[1]}`
}

/** A handshake for a request to a `ws:` or `wss:` URL; throws a TypeError for what is none. */
export function createHandshake(request: Request, { compress = false } = {}): Handshake {
  const key = randomBytes(16).toString('base64')
  const offered = nameIn(request.headers, 'sec-websocket-protocol')?.split(/\s*,\s*/)
  const { url, headers } = request
  const get = requestBytes({ url: url.replace(/^ws/i, 'http'), headers })
  const lines = [
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Key: ${key}`,
    'Sec-WebSocket-Version: 13',
    ...(compress ? [`Sec-WebSocket-Extensions: ${deflateOffer}`] : [])
  ]
  const end = get.length - 2
  const more = Buffer.from(lines.map((line) => `${line}\r\n`).join(''))
  const accept = createHash('sha1').update(`${key}${suffix}`).digest('base64')
  return {
    bytes: Buffer.concat([get.subarray(0, end), more, get.subarray(end)]),
    check(status, told) {
      if (status !== 101) return `it answered ${status}, and not 101`
      if (told.upgrade?.toLowerCase() !== 'websocket') return 'it upgrades to no WebSocket'
      if (!/(^|,)\s*upgrade\s*(,|$)/i.test(told.connection ?? '')) return 'it says no upgrade'
      if (told['sec-websocket-accept'] !== accept) return 'its Sec-WebSocket-Accept is wrong'
      const protocol = told['sec-websocket-protocol']
      if (protocol !== undefined && !offered?.includes(protocol))
        return 'it chose a subprotocol that was not offered'
      const extensions = told['sec-websocket-extensions']
      if (extensions === undefined) return { packs: false }
      if (!compress || !agrees(extensions)) return 'it chose extensions that were not offered'
      return { packs: true }
    }
  }
}
