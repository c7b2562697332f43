/** What the tests use of `ws`, which comes without types. */
declare module 'ws' {
  import type { EventEmitter } from 'node:events'
  import type { IncomingMessage } from 'node:http'

  export class WebSocket extends EventEmitter {
    constructor(address: string, protocols: readonly string[], options: object)
    readonly readyState: number
    send(
      data: string | Buffer,
      options?: { binary?: boolean; compress?: boolean; fin?: boolean }
    ): void
    ping(data?: string): void
    close(code?: number, reason?: string): void
    terminate(): void
  }

  export class WebSocketServer extends EventEmitter {
    constructor(options: {
      host: string
      port: number
      maxPayload?: number
      perMessageDeflate?: boolean | object
      handleProtocols?: (protocols: Set<string>, request: IncomingMessage) => string | false
      verifyClient?: (
        info: { req: IncomingMessage },
        take: (isTaken: boolean, status?: number, reason?: string) => void
      ) => unknown
    })
    readonly clients: Set<WebSocket>
    address(): { port: number }
    close(): void
  }

  /** Reads frames, by default those of a server. */
  export class Receiver extends EventEmitter {
    constructor(options: { isServer?: boolean; maxPayload?: number; extensions?: object })
    write(bytes: Buffer): void
  }
}
