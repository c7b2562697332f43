// A greeter of grpc-js in a process of its own, which says at which port it listens.
import { loadPackageDefinition, Server, ServerCredentials } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'

const file = new URL('../load/grpc/greeter.proto', import.meta.url).pathname
const server = new Server()
server.addService(loadPackageDefinition(loadSync(file)).demo.Greeter.service, {
  Hello: ({ request: { yourName } }, reply) => reply(null, { text: `hello ${yourName}` }),
  Count: (call) => call.end(),
  Sum: (_, reply) => reply(null, {}),
  Echo: (call) => call.end()
})
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (cause, port) => {
  if (cause !== null) throw cause
  console.log(port)
})
