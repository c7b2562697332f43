import { check, type Look, summary } from 'plimsoll'
import { bindings } from './_probing.ts'
import { patienceMs } from './_stage.ts'

const services = ['key-value', 'object-storage', 'cache'] as const
type Found = [service: (typeof services)[number], form: string, saw: string]

/** Puts something in every form that a value can have, and tells what of it comes back. */
const source = `
const bytes = Uint8Array.from({ length: 90_007 }, (_, at) => (at * 7_919) % 251)
const text = 'é€😀'.repeat(9_000)
const part = bytes.subarray(1_001, 80_002)
/** By name: a value, and the bytes that it has. */
const forms = {
  text: () => [text, new TextEncoder().encode(text)],
  'no text': () => ['', new Uint8Array()],
  buffer: () => [bytes.slice().buffer, bytes],
  'part of a buffer': () => [part, part],
  stream: () => [new Response(bytes).body, bytes]
}
const headers = { 'cache-control': 'max-age=31536000' }
const urlOf = (name) => 'http://plimsoll.test/' + name
const ways = {
  'key-value': {
    put: ({ KV }, name, value) => KV.put(name, value),
    get: ({ KV }, name) => KV.get(name, 'arrayBuffer')
  },
  'object-storage': {
    put: ({ OBJECTS }, name, value) => OBJECTS.put(name, value),
    get: ({ OBJECTS }, name) => OBJECTS.get(name).then((one) => one?.arrayBuffer())
  },
  cache: {
    put: (_, name, value) => caches.default.put(urlOf(name), new Response(value, { headers })),
    get: (_, name) => caches.default.match(urlOf(name)).then((one) => one?.arrayBuffer())
  }
}
const isSame = (one, other) =>
  one.length === other.length && one.every((byte, at) => byte === other[at])
/** What is kept may take a moment to be there. */
async function saw(get, expected) {
  for (let look = 0; look < 6; look++) {
    const got = await get()
    if (got && isSame(new Uint8Array(got), expected)) return 'as it was'
    if (got || look === 5) return got ? got.byteLength + ' other bytes' : 'nothing'
    await new Promise((resolve) => setTimeout(resolve, 400))
  }
}
export default {
  async fetch(request, env) {
    const found = []
    for (const [service, { put, get }] of Object.entries(ways))
      for (const [form, made] of Object.entries(forms)) {
        const [value, expected] = made()
        const name = new URL(request.url).pathname.slice(1) + form.replaceAll(' ', '-')
        // What is not taken in this form is none of what is kept.
        const isTaken = await put(env, name, value).then(() => true, () => false)
        if (isTaken) found.push([service, form, await saw(() => get(env, name), expected)])
      }
    return Response.json(found)
  }
}`

export default check({
  title: 'What is stored comes back as it was, in whatever form it was taken',
  clauses: services.map((name) => `functions.service.${name}`),
  needs: ['edge', 'account', 'deploy'],
  async run({ adapter, edge, verify }) {
    const { id: account } = await adapter.account('standard')
    const { KV, OBJECTS } = bindings as Required<typeof bindings>
    const given = { KV: KV!, OBJECTS: OBJECTS! }
    const said = await adapter.deploy({ account, name: 'forms', source, bindings: given })
    if (!said.accepted) return
    // New to who keeps what an earlier run of this seed has stored.
    const path = `/plimsoll-${crypto.randomUUID()}-`
    const reply = await edge.as(said.host).get(path, { timeoutMs: 4 * patienceMs })
    if (!Array.isArray(reply.json)) return
    const found: Found[] = reply.json
    for (const service of services) {
      const looks = found
        .filter(([of]) => of === service)
        .map(([, asked, saw]): Look => ({ asked, holds: saw === 'as it was', saw, reply }))
      const seen = summary(looks)
      if (seen) verify(`functions.service.${service}`, ...seen)
    }
  }
})
