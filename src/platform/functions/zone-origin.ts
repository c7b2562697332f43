import type { Front } from '../edge/cache.ts'
import { forwarder, OriginFailed } from '../edge/forward.ts'
import { ask } from '../edge/origin.ts'
import { page } from '../edge/page.ts'
import { receive } from '../edge/request.ts'
import { deliver } from '../edge/served.ts'
import { send } from '../kernel/http/answer.ts'
import type { Service } from '../kernel/http/listener.ts'
import type { Store } from '../kernel/store.ts'
import { zoneByHost } from '../kernel/zone.ts'

/**
 * The way from a function to the server behind its own zone: through the cache, and past all that
 * has been done for the request that started the function.
 */
export function zoneOrigin({
  store,
  throughCache
}: {
  store: Store
  throughCache: Front
}): Service {
  const { forward, close } = forwarder()
  return {
    close,
    headBytes: 1_048_576,
    async onRequest(message, response, proceed) {
      const request = receive(message)
      const zone = zoneByHost(store, request.host)
      if (zone === undefined) return send(response, page(404, 'There is no such zone.'))
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      try {
        proceed()
        const served = await throughCache(zone, request, () =>
          ask(zone, { request, forward, gone: gone.signal })
        )
        await deliver(response, served)
      } catch (error) {
        if (response.headersSent) return void response.destroy()
        const status = error instanceof OriginFailed ? error.status : 500
        send(response, page(status, 'The origin of this zone does not answer.'))
      }
    },
    onMalformed: (status) => page(status, 'This is no request.')
  }
}
