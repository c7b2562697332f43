import { fileURLToPath } from 'node:url'
import { loadPackageDefinition, Server, ServerCredentials } from '@grpc/grpc-js'
import { fromJSON, loadSync } from '@grpc/proto-loader'
import { onTestFinished } from 'vitest'

const greeter = loadSync(fileURLToPath(new URL('greeter.proto', import.meta.url)))

/** The greeter's file as a server tells it. */
export const greeterFile: Buffer = Object.values(greeter).flatMap(
  ({ fileDescriptorProtos = [] }) => fileDescriptorProtos
)[0]!

const field = (type: string, id: number, rule?: string) => ({ type, id, ...(rule && { rule }) })

/** The messages of server reflection, as `grpc.reflection.v1` and `v1alpha` have them. */
const reflection = {
  Request: {
    fields: {
      fileByFilename: field('string', 3),
      fileContainingSymbol: field('string', 4),
      listServices: field('string', 7)
    },
    oneofs: { asked: { oneof: ['fileByFilename', 'fileContainingSymbol', 'listServices'] } }
  },
  Files: { fields: { fileDescriptorProto: field('bytes', 1, 'repeated') } },
  Service: { fields: { name: field('string', 1) } },
  Services: { fields: { service: field('Service', 1, 'repeated') } },
  Fault: { fields: { errorCode: field('int32', 1), errorMessage: field('string', 2) } },
  Response: {
    fields: {
      fileDescriptorResponse: field('Files', 4),
      listServicesResponse: field('Services', 6),
      errorResponse: field('Fault', 7)
    }
  },
  ServerReflection: {
    methods: {
      ServerReflectionInfo: {
        ...{ requestType: 'Request', requestStream: true },
        ...{ responseType: 'Response', responseStream: true }
      }
    }
  }
}

type Asked = { fileByFilename?: string; fileContainingSymbol?: string; listServices?: string }

/** What a server tells of itself that has nothing but the greeter. */
export function tellGreeter({ listServices, fileContainingSymbol }: Asked): object {
  if (listServices) return { listServicesResponse: { service: [{ name: 'demo.Greeter' }] } }
  if (fileContainingSymbol !== 'demo.Greeter') return { errorResponse: { errorCode: 5 } }
  return { fileDescriptorResponse: { fileDescriptorProto: [greeterFile] } }
}

/** A greeter of grpc-js that describes itself by a version of reflection; it ends with the test. */
export async function listenReflecting(
  version?: 'v1' | 'v1alpha',
  tell: (asked: Asked) => object = tellGreeter
): Promise<{ place: string; calls: Record<string, number> }> {
  const server = new Server()
  const calls: Record<string, number> = { Hello: 0, Sum: 0, Count: 0 }
  server.addService(loadPackageDefinition(greeter).demo.Greeter.service, {
    Hello({ request: { yourName } }, reply) {
      calls.Hello!++
      if (yourName === 'nobody') reply({ code: 5, details: 'nobody is here' })
      else reply(null, { text: `hello ${yourName}` })
    },
    Count(call) {
      calls.Count!++
      for (let n = 0; n < call.request.times; n++) call.write({ text: `${n}` })
      call.end()
    },
    Sum(call, reply) {
      call.on('data', ({ times }: { times: number }) => {
        calls.Sum! += times
      })
      call.on('end', () => reply(null, {}))
    },
    Echo: (call) => call.end()
  })
  if (version !== undefined) {
    const nested = {
      grpc: { nested: { reflection: { nested: { [version]: { nested: reflection } } } } }
    }
    const { service } = loadPackageDefinition(fromJSON({ nested })).grpc.reflection[version]
      .ServerReflection
    server.addService(service, {
      ServerReflectionInfo(call) {
        call.on('data', (asked: Asked) => call.write(tell(asked)))
        call.on('end', () => call.end())
      }
    })
  }
  onTestFinished(() => server.forceShutdown())
  const insecure = ServerCredentials.createInsecure()
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', insecure, (cause, port) =>
      cause ? reject(cause) : resolve({ place: `127.0.0.1:${port}`, calls })
    )
  })
}
