// Parts of undici by themselves. All of it, fetch, WebSockets and caches included, takes 80 ms of
// processor time in every process and thread that imports it, and these take half of that.

declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici'

  /** What all of undici, once imported, adds to every pool and agent as `request`. */
  export default function requestBy(
    this: Dispatcher,
    options: Dispatcher.RequestOptions
  ): Promise<Dispatcher.ResponseData>
}

declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici'
}

declare module 'undici/lib/core/errors.js' {
  export { errors as default } from 'undici'
}

declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici'
}

declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici'
}
