import { STATUS_CODES } from 'node:http'

/** An answer of a target as it is kept and changed. */
export type KeptAnswer = {
  status: number
  /** By lower-case name. */
  headers: Record<string, string>
  /** The whole body as text, out of its coding; undefined where it is too long, or is no text. */
  text?: string
  /** The parsed body; undefined when it is not JSON. */
  json?: unknown
}

/** Headers that say how a body is framed, which is the proxy's to say. */
const framing = ['content-length', 'transfer-encoding', 'content-encoding', 'trailer', 'date']

/** Whether a header is about the answer, and not about the way it comes. */
export function isTelling(name: string): boolean {
  return ![...framing, 'connection', 'keep-alive'].includes(name)
}

/** Whether the body is known, so that it can be sent again with another status. */
export function hasBody({ text }: KeptAnswer): boolean {
  return text !== undefined
}

/** The answer with another body, which is JSON. */
export function withJson(answer: KeptAnswer, json: unknown): KeptAnswer {
  return { ...answer, json, text: JSON.stringify(json) }
}

/** An answer as HTTP/1.1; that to HEAD has no body. */
export function asBytes({ status, headers, text = '' }: KeptAnswer, method: string): Buffer {
  const kept = Object.entries(headers).filter(([name]) => !framing.includes(name))
  const length = Buffer.byteLength(text)
  const isBare = status < 200 || status === 204 || status === 304
  const all = isBare ? kept : [...kept, ['content-length', `${length}`]]
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`
  const body = isBare || method === 'HEAD' ? '' : text
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)])
}
