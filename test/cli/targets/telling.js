// A server that says which processors it may run on: `node telling.js PORT [freed]`; one that is
// freed takes all of them again with the first request.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [port, kind] = process.argv.slice(2)

createServer((_, reply) => {
  if (kind === 'freed') execFileSync('taskset', ['-a', '-c', '-p', '0-1023', `${process.pid}`])
  reply.end(/Cpus_allowed_list:\s*(\S+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])
}).listen(Number(port), '127.0.0.1')
