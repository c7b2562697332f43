// A server that says which processors it may run on: `node telling.js PORT [KIND]`. One that is
// `freed` takes all of them again with the first request. One that is `alone` serves a connection
// until it closes and then the one that came next, as a worker of the synchronous kind does; it
// takes its first a while after it listens, as such a worker that has to load its program.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createListener } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const [port, kind] = process.argv.slice(2)
const loadingMs = 1_500

const server = createServer((_, reply) => {
  if (kind === 'freed') execFileSync('taskset', ['-a', '-c', '-p', '0-1023', `${process.pid}`])
  reply.end(/Cpus_allowed_list:\s*(\S+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])
})

/** Hands connections to the server one at a time, in the order in which they came. */
function oneAtATime() {
  let before = sleep(loadingMs)
  return createListener({ pauseOnConnect: true }, (connection) => {
    const closed = new Promise((resolve) => connection.once('close', resolve))
    const serve = () => {
      server.emit('connection', connection)
      connection.resume()
      return closed
    }
    before = before.then(serve)
  })
}

const listener = kind === 'alone' ? oneAtATime() : server
listener.listen(Number(port), '127.0.0.1')
