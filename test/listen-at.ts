import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { paced } from './paced.ts'

/** A server that answers, and tells who was asked for and when. */
export type ListeningAt = {
  port: number
  /** The Host header of each request. */
  hosts: () => string[]
  /** When each request came, in milliseconds since the epoch. */
  times: () => number[]
  /** How many connections were made to it. */
  connections: () => number
}

/** How a server answers, and where. */
type Manner = {
  port: number
  headers: Record<string, string>
  status: number
  /** Milliseconds that the first answer takes. */
  firstMs: number
}

/** Answers at one address of loopback until the test has finished. */
export async function listenAt(
  address: string,
  { port = 0, headers = {}, status = 200, firstMs = 0 }: Partial<Manner> = {}
): Promise<ListeningAt> {
  const hosts: string[] = []
  const times: number[] = []
  let connections = 0
  const take = paced({ atOnce: 4, ms: 4 })
  const server = createServer(async (request, reply) => {
    hosts.push(request.headers.host ?? '')
    if (times.push(Date.now()) === 1) await new Promise((resolve) => setTimeout(resolve, firstMs))
    take(reply, () => reply.writeHead(status, headers).end('process_open_fds 21'))
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject).listen(port, address, resolve)
  })
  onTestFinished(() => void server.close().closeAllConnections())
  return {
    port: (server.address() as AddressInfo).port,
    hosts: () => hosts,
    times: () => times,
    connections: () => connections
  }
}
