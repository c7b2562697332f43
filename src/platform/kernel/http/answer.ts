import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Response } from './message.ts'

/** A whole HTTP response whose body fits in memory. */
export type Answer = {
  status: number
  /** Content type. */
  type: string
  body: string
  headers?: Record<string, string>
}

const headersOf = ({ type, body, headers }: Answer) => ({
  'Content-Type': type,
  'Content-Length': String(Buffer.byteLength(body)),
  ...headers
})

/** Sends an answer to a request that was understood. */
export function send(response: Response, answer: Answer) {
  response.writeHead(answer.status, headersOf(answer)).end(answer.body)
}

/** Sends an answer where there is no request to answer, only a connection, and ends that. */
export function sendLast(socket: Socket, answer: Answer) {
  const headers = Object.entries({ ...headersOf(answer), Connection: 'close' })
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    ...headers.map(([name, value]) => `${name}: ${value}`)
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${answer.body}`)
  socket.destroySoon()
}
