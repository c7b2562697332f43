// How much processor time a unary call of gRPC costs, beside the client of @grpc/grpc-js: both
// against one server of that in turn, client and server on a core each.
// `node grpc.ts [rounds] [seconds]`
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { numbersOf } from '../usage.ts'
import { machine, pinned } from './machine.ts'
import { grpcPeers } from './peers.ts'
import { compareClients } from './rounds.ts'

const [rounds, seconds] = numbersOf(import.meta.url, [7, 3])
const program = new URL('grpc-server.ts', import.meta.url).pathname

console.log(machine())
const [node, ...words] = pinned(1, [process.execPath, program]) as [string, ...string[]]
const server = spawn(node, words, { stdio: ['ignore', 'pipe', 'inherit'] })
const [said] = (await once(server.stdout!, 'data')) as [Buffer]
try {
  const url = `http://127.0.0.1:${Number(said)}/`
  for (const pipelining of [1, 20]) {
    const setting = { url, connections: 10, pipelining, seconds, warmUp: 5 }
    await compareClients(setting, grpcPeers(), { ours: ['grpc'], rounds, goals: {} })
  }
} finally {
  server.kill('SIGTERM')
}
