import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A program of its own: answers everything with two letters, at once, and says on which port. It
 * ends when its standard input does, so that it cannot outlive who started it.
 */
const server = createServer((_, reply) => void reply.end('ok'))
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
process.stdin.resume().on('end', () => process.exit())
