/** What the tests use of `@grpc/grpc-js` and its loader. */
declare module '@grpc/grpc-js' {
  type Call = {
    request: any
    metadata: { get(name: string): string[] }
    write(message: object): void
    end(): void
    emit(event: 'error', error: object): void
    on(event: string, act: (message: any) => void): void
    getDeadline(): Date | number
    cancelled: boolean
  }
  type Reply = (error: object | null, answer?: object) => void

  export class Server {
    constructor(options?: Record<string, number>)
    addService(service: object, methods: Record<string, (call: Call, reply: Reply) => void>): void
    bindAsync(
      address: string,
      credentials: object,
      done: (cause: Error | null, port: number) => void
    ): void
    forceShutdown(): void
  }
  export const credentials: { createInsecure(): object }
  export const ServerCredentials: { createInsecure(): object }
  export function loadPackageDefinition(definition: object): any
}

declare module '@grpc/proto-loader' {
  type Definition = Record<string, { fileDescriptorProtos?: Buffer[] }>
  export function loadSync(file: string): Definition
  export function fromJSON(json: object): Definition
}
