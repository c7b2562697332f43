import { connect } from 'node:net'
import { createInterface } from 'node:readline'

const sockets = 20

/** What became of a flood: how often each status came, and the last answer with an error. */
export type Flooded = { statuses: Record<string, number>; codes: string[] }

/**
 * Sends so many requests faster than they can be answered: all at once, over a few connections.
 * Only for targets that say themselves from what rate on requests are abuse.
 */
export async function flood(
  edgeUrl: string,
  { host, requests }: { host: string; requests: number }
): Promise<Flooded> {
  const { hostname, port } = new URL(edgeUrl)
  const each = Math.ceil(requests / sockets)
  const statuses: Record<string, number> = {}
  const codes = new Set<string>()
  const one = async () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    const head = `GET / HTTP/1.1\r\nhost: ${host}\r\n`
    socket.write(`${head}\r\n`.repeat(each - 1))
    socket.write(`${head}connection: close\r\n\r\n`)
    for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
      const status = /HTTP\/1\.1 (\d{3})/.exec(line)?.[1]
      if (status) statuses[status] = (statuses[status] ?? 0) + 1
      for (const [code] of line.matchAll(/\b1\d{3}\b/g)) codes.add(code)
    }
  }
  await Promise.all(Array.from({ length: sockets }, one))
  return { statuses, codes: [...codes] }
}
