// A server that answers most requests at once and well, and by chance kills a connection or sends
// what is no response: `node hostile-server.ts SEED`; it prints its port.
import { createServer, type Socket } from 'node:net'
import { random } from '../../src/random.ts'
import { requestsBegun } from '../load/server.ts'

const next = random(Number(process.argv[2]), 'server')
const ok = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello\n')
const large = 'x'.repeat(50_000)

/** How many of a thousand requests meet each of these. */
const behaviours: [perMille: number, act: (socket: Socket) => void][] = [
  [1, (socket) => socket.resetAndDestroy()],
  [1, (socket) => socket.destroy()],
  [1, (socket) => socket.end()],
  [1, (socket) => socket.end(ok.subarray(0, next() * ok.length))],
  [
    1,
    (socket) => socket.write(Buffer.from(Array.from({ length: next() * 300 }, () => next() * 256)))
  ],
  [1, (socket) => socket.write(Buffer.concat([ok, ok]))],
  [0.1, () => {}],
  [
    5,
    (socket) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${large.length}\r\n\r\n${large}`)
  ],
  [
    5,
    (socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`)
  ]
]

function answer(socket: Socket): void {
  let chance = next() * 1_000
  for (const [perMille, act] of behaviours) {
    chance -= perMille
    if (chance < 0) {
      act(socket)
      return
    }
  }
  socket.write(ok)
}

const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    for (let left = requestsBegun(chunk.toString('latin1')); left > 0; left--) answer(socket)
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as { port: number }).port}\n`)
})
