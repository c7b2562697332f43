import { type Egress, placeOf } from '../egress/egress.ts'
import { type Listener, listen, listenNear, type Service } from './listener.ts'

/** Where the platform can be asked for nothing but itself. */
const loopback = '127.0.0.1'

/** A service with the words it goes by; one that is `near` is on loopback whatever the host is. */
export type Named = { words: string; service: Service; isNear?: boolean }

/** The platform's listeners, none of which is reached from within. */
export type Listeners = {
  /**
   * Opens the first listener at the port and the others at those that follow, or at any; rejects
   * when the first cannot be where it should. Resolves to their addresses.
   */
  openAll(first: Service, others: readonly Named[]): Promise<string[]>
  /** Opens a listener for the platform itself. */
  openWithin(service: Service): Promise<string>
  /** Which are elsewhere than where they were to follow, and why: one sentence each. */
  moved: string[]
  close(): Promise<void>
}

/** Begins with no listener. */
export function createListeners(
  egress: Egress,
  { host = loopback, port = 8_787 }: { host?: string; port?: number }
): Listeners {
  const started: Listener[] = []
  const moved: string[] = []
  const kept = async (opening: Promise<Listener>) => {
    const listener = await opening
    egress.keepFrom(listener.url)
    started.push(listener)
    return listener.url
  }
  return {
    moved,
    async openAll(first, others) {
      const opening = listen(first, { host, port }).catch((error) => Promise.reject(told(error)))
      const urls = [await kept(opening)]
      for (const [index, { words, service, isNear }] of others.entries()) {
        const wanted = port && port + 1 + index
        const place = { host: isNear ? loopback : host, port: wanted }
        const url = await kept(listenNear(service, place))
        urls.push(url)
        if (wanted !== 0 && placeOf(url).port !== wanted)
          moved.push(
            `Port ${wanted} is ${wanted > 65_535 ? 'none' : 'taken'}: ${words} is at ${url}.`
          )
      }
      return urls
    },
    openWithin: (service) => kept(listen(service, { host: loopback, port: 0 })),
    close: async () => void (await Promise.all(started.map((listener) => listener.close())))
  }
}

/** Why the first listener is not there, with what to do where somebody else has its port. */
function told(error: NodeJS.ErrnoException & { port?: number }): Error {
  if (error.code === 'ERR_SOCKET_BAD_PORT')
    return new Error('there are ports from 1 to 65535, and 0 for any that is free')
  if (error.code !== 'EADDRINUSE') return error
  const what = `port ${error.port} is taken (EADDRINUSE)`
  return new Error(`${what}: give another, or 0 for any that is free`, { cause: error })
}
