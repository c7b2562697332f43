/** The function that every service to functions is used through, by requests to its paths. */
export const source = `
const home = 'http://state.test/'
const stores = {
  kv: ({ KV }) => ({
    get: (key) => KV.get(key),
    put: (key, value) => KV.put(key, value),
    delete: (key) => KV.delete(key)
  }),
  objects: ({ OBJECTS }) => ({
    get: async (key) => (await OBJECTS.get(key))?.text() ?? null,
    put: (key, value) => OBJECTS.put(key, value),
    delete: (key) => OBJECTS.delete(key)
  }),
  caches: () => {
    const at = (key) => 'http://cache.test/' + key
    return {
      get: async (key) => (await caches.default.match(at(key)))?.text() ?? null,
      put: (key, value) => caches.default.put(at(key), new Response(value)),
      delete: (key) => caches.default.delete(at(key))
    }
  },
  storage: ({ STATE }) => {
    const ask = async (key, method, body) => {
      const answer = await STATE.get(STATE.idFromName(key)).fetch(home, { method, body })
      return answer.status === 404 ? null : answer.text()
    }
    return {
      get: (key) => ask(key, 'GET'),
      put: (key, value) => ask(key, 'PUT', value),
      delete: (key) => ask(key, 'DELETE')
    }
  }
}
const deeds = {
  send: ({ QUEUE }, name) => QUEUE.send(name),
  alarm: ({ STATE }, name) =>
    STATE.get(STATE.idFromName(name)).fetch(home, { method: 'POST', body: name })
}
export default {
  async fetch(request, env) {
    const [, kind, key] = new URL(request.url).pathname.split('/')
    if (kind === 'done') return Response.json(await done(env, key))
    if (kind in deeds) {
      await deeds[kind](env, key)
      return new Response('done')
    }
    const store = stores[kind](env)
    if (request.method === 'PUT') await store.put(key, await request.text())
    if (request.method === 'DELETE') await store.delete(key)
    const value = request.method === 'GET' ? await store.get(key) : ''
    return new Response(value, { status: value === null ? 404 : 200 })
  },
  async queue({ messages }, { DONE }) {
    for (const { body } of messages) await DONE.put('send:' + body, '')
  }
}
async function done({ DONE }, kind) {
  const found = []
  let cursor
  do {
    const part = await DONE.list({ prefix: kind + ':', cursor })
    for (const { name } of part.keys) found.push(name.slice(kind.length + 1))
    cursor = part.cursor
  } while (cursor)
  return found
}
export class State {
  constructor({ storage }, { DONE }) {
    Object.assign(this, { storage, DONE })
  }
  async fetch(request) {
    if (request.method === 'PUT') await this.storage.put('value', await request.text())
    if (request.method === 'DELETE') await this.storage.delete('value')
    if (request.method === 'POST') {
      await this.storage.put('name', await request.text())
      await this.storage.setAlarm(Date.now() + 50)
    }
    if (request.method !== 'GET') return new Response('done')
    const value = await this.storage.get('value')
    return new Response(value, { status: value === undefined ? 404 : 200 })
  }
  async alarm() {
    await this.DONE.put('alarm:' + (await this.storage.get('name')), '')
  }
}`

/** What that function has bindings to. */
export const bindings = {
  KV: { kind: 'kv', name: 'values' },
  DONE: { kind: 'kv', name: 'done' },
  OBJECTS: { kind: 'objects', name: 'objects' },
  QUEUE: { kind: 'queue', name: 'messages' },
  STATE: { kind: 'stateful', className: 'State' }
}
