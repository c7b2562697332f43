// Parts of undici by themselves. All of it, fetch, WebSockets and caches included, takes 80 ms of
// processor time in every process and thread that imports it, and these take half of that.

declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici'
}

declare module 'undici/lib/core/errors.js' {
  export { errors as default } from 'undici'
}

declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici'
}
