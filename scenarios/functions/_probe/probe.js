/**
 * A function that does what it is told. A request carries a command as JSON, in its body or in the
 * query as `command`; the answer says what came of it. The README beside it lists the commands.
 */

const [mebibyte, chunkBytes] = [1_048_576, 65_536]
const haystack = 'a'.repeat(chunkBytes)

let [requests, instance] = [0]
/** What commands with `leak` keep for as long as this instance lives. */
const leaked = []

/** Ends the invocation with an exception, whatever command it is part of. */
class Crash extends Error {}

/** Carries out a command; what it throws is a part of what came of it. */
async function perform(command, session) {
  try {
    const act = acts[command.do]
    if (act === undefined) throw new TypeError(`there is no command "${command.do}"`)
    const ok = (await act(command, session)) ?? null
    return { ok, at: session.done++ }
  } catch (cause) {
    if (cause instanceof Crash) throw cause
    return { error: String(cause?.message ?? cause), name: cause?.name, at: session.done++ }
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** A body of so many bytes, made as it is read. */
function stream({ bytes, dripMs }) {
  const chunk = new Uint8Array(dripMs === undefined ? chunkBytes : 1).fill(120)
  let left = bytes
  return new ReadableStream(
    {
      async pull(controller) {
        if (dripMs !== undefined) await pause(dripMs)
        if (left > 0) controller.enqueue(chunk.subarray(0, Math.min(left, chunk.length)).slice())
        left -= chunk.length
        if (left <= 0) controller.close()
      }
    },
    { highWaterMark: 0 }
  )
}

/** Reads to the end, where there is something to read, shows the parts, and counts their bytes. */
async function drained(reader, show = () => {}) {
  let bytes = 0
  for (let part = await reader?.read(); part && !part.done; part = await reader.read()) {
    show(part.value)
    bytes += part.value.length
  }
  return bytes
}

/** Treats a response as a command wants it: `read` (default), `text`, `leave`, `cancel`, `pass`. */
async function treated(response, { body = 'read', keep }, session) {
  const { status, redirected } = response
  const headers = Object.fromEntries(response.headers ?? [])
  if (body === 'text') return { status, redirected, headers, text: await response.text() }
  if (keep !== undefined) session.kept.set(keep, response.body?.getReader())
  if (body === 'leave') return { status, redirected }
  if (body === 'cancel') await response.body?.cancel()
  if (body === 'pass') session.response = response
  const reader = body === 'read' ? response.body?.getReader() : undefined
  return { status, redirected, bytes: await drained(reader) }
}

/** Works in a built-in, which takes as long the first time as it does once code is warm. */
export function burn({ work }) {
  let found = 0
  for (let unit = 0; unit < work; unit++) found += haystack.indexOf('b', unit % 8)
  return found
}

/** A mebibyte of numbers; a copy of it costs little processor time, and leaves no garbage. */
let numbers
async function allocate({ megabytes, as = 'heap', leak = false }, session) {
  const kept = leak ? leaked : session.memory
  numbers ??= new Array(mebibyte / 8).fill(0.5)
  for (let done = 0; done < megabytes; done++) {
    kept.push(as === 'heap' ? numbers.slice() : new Uint8Array(mebibyte).fill(1))
    if (done % 8 === 7) await pause(0)
  }
  return kept.length
}

async function repeat({ times, of, together = false, turns = [of].flat() }, session) {
  const outcomes = []
  const all = Array.from({ length: times }, (_, at) => turns[at % turns.length])
  if (together) outcomes.push(...(await Promise.all(all.map((one) => perform(one, session)))))
  else for (const one of all) outcomes.push(await perform(one, session))
  const thrown = outcomes.flatMap(({ error = [] }) => error)
  const [failed, errors] = [thrown.length, [...new Set(thrown)].slice(0, 5)]
  const firstFailed = outcomes.findIndex(({ error }) => error !== undefined)
  return { succeeded: outcomes.length - failed, failed, firstFailed, errors }
}

async function series({ all }, session) {
  const outcomes = []
  for (const one of all) outcomes.push(await perform(one, session))
  return outcomes
}

/** Asks another probe, by whatever way there is to it. */
async function relayed(fetcher, of) {
  const asked = { method: 'POST', body: JSON.stringify(of) }
  return (await fetcher.fetch('http://probe.internal/', asked)).json()
}

const cacheOf = ({ cache }) => (cache === undefined ? caches.default : caches.open(cache))
const caching = {
  async put({ url, bytes = 2, text }, cache) {
    // A year: what is kept is not to go stale where others move the clock by days.
    const headers = { 'cache-control': 'max-age=31536000' }
    if (text === undefined) headers['content-length'] = String(bytes)
    await cache.put(url, new Response(text ?? stream({ bytes }), { headers }))
  },
  async match({ url, ...how }, cache, session) {
    const response = await cache.match(url)
    return response === undefined ? null : treated(response, how, session)
  },
  delete: ({ url }, cache) => cache.delete(url)
}

async function openSocket({ address, module, keep }, session) {
  const { connect } = await import(module)
  const [hostname, port] = address.split(':')
  const socket = connect({ hostname, port: Number(port) })
  await socket.opened
  if (keep !== undefined) session.kept.set(keep, { cancel: () => socket.close() })
  return (await socket.readable.getReader().read()).value?.length
}

const plain = (value) => (value instanceof Map ? [...value] : value)

/** Every command by its name. */
const acts = {
  series,
  together: ({ all }, session) => Promise.all(all.map((one) => perform(one, session))),
  repeat,
  async fetch({ url, method, send, redirect, headers, ...how }, session) {
    const body = typeof send === 'number' ? 'x'.repeat(send) : send && stream(send)
    const asked = { method, body, redirect, headers, duplex: 'half' }
    return treated(await fetch(url, asked), how, session)
  },
  peek: async ({ name }, session) => (await session.kept.get(name).read()).value?.length,
  read: ({ name, withinMs }, session) =>
    Promise.race([drained(session.kept.get(name)), ...(withinMs ? [pause(withinMs)] : [])]),
  cancel: ({ name }, session) => session.kept.get(name).cancel(),
  wait: ({ ms }) => pause(ms),
  time: () => Date.now(),
  burn,
  digest: ({ bytes }) => crypto.subtle.digest('SHA-256', new Uint8Array(bytes)).then(() => bytes),
  allocate,
  waitUntil: ({ of }, session) => void session.ctx.waitUntil(perform(of, session)),
  begin: ({ of }, session) => void perform(of, session),
  log({ text, repeat = 1, times = 1, level = 'log' }) {
    for (let line = 0; line < times; line++) console[level](text.repeat(repeat))
  },
  throw({ message }) {
    throw new Crash(message)
  },
  env: ({ name }, { env }) => (name === undefined ? Object.keys(env) : env[name]),
  count() {
    instance ??= crypto.randomUUID()
    return { requests, instance }
  },
  receive: ({ keep }, { request, kept }) =>
    keep ? void kept.set(keep, request.body.getReader()) : drained(request.body?.getReader()),
  stream({ status = 200, headers, ...command }, session) {
    session.response = new Response(stream(command), { status, headers })
  },
  cache: async (how, session) => caching[how.call](how, await cacheOf(how), session),
  kv: ({ call, args = [] }, { env }) => env.KV[call](...args),
  async object({ call, args = [], ...how }, session) {
    const object = await session.env.OBJECTS[call](...args)
    return object?.body ? treated(object, how, session) : object
  },
  queue: async ({ call, args }, { env }) => void (await env.QUEUE[call](...args)),
  service: ({ of }, { env }) => relayed(env.SERVICE, of),
  state: ({ name, of }, { env }) => relayed(env.STATE.get(env.STATE.idFromName(name)), of),
  stored: ({ call, args = [] }, { storage }) => storage[call](...args).then(plain),
  alarm: ({ afterMs }, { storage }) => storage.setAlarm(Date.now() + afterMs),
  socket: openSocket
}

/** What an invocation starts with. */
function begin(given) {
  requests++
  return { ...given, kept: new Map(), memory: [], done: 0 }
}

const primes = [2]
for (let next = 3; primes.length < 64; next++)
  if (primes.every((by) => next % by)) primes.push(next)
/** The first 32 bits of the fractions of the primes' roots, which SHA-256 begins with. */
const fractions = (root) => Int32Array.from(primes, (prime) => ((root(prime) % 1) * 2 ** 32) | 0)
const constants = fractions(Math.cbrt)
const turned = (word, by) => (word >>> by) | (word << (32 - by))

/** One block of SHA-256: mixes its 16 words into the state. */
function mix(state, words) {
  for (let at = 16; at < 64; at++) {
    const near = words[at - 2]
    const far = words[at - 15]
    const low = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3)
    const high = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10)
    words[at] = words[at - 16] + low + words[at - 7] + high
  }
  const mixed = state.slice()
  for (let at = 0; at < 64; at++) {
    const [a, b, c] = [mixed[-at & 7], mixed[(1 - at) & 7], mixed[(2 - at) & 7]]
    const [e, f, g] = [mixed[(4 - at) & 7], mixed[(5 - at) & 7], mixed[(6 - at) & 7]]
    const chosen = (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g))
    const one = (mixed[(7 - at) & 7] + chosen + constants[at] + words[at]) | 0
    const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    mixed[(3 - at) & 7] += one
    mixed[(7 - at) & 7] = one + two
  }
  for (let index = 0; index < 8; index++) state[index] += mixed[index]
}

/** SHA-256 of what is added piece by piece, since the standard digest wants all of it at once. */
function sha256() {
  const [state, words] = [fractions(Math.sqrt).slice(0, 8), new Int32Array(64)]
  let length = 0
  const add = (bytes) => {
    for (let at = 0; at < bytes.length; at++) {
      const index = (length++ >> 2) & 15
      words[index] = (words[index] << 8) | bytes[at]
      if (length % 64 === 0) mix(state, words)
    }
  }
  return {
    add,
    end() {
      const padding = new Uint8Array(((119 - (length % 64)) % 64) + 9)
      padding[0] = 128
      new DataView(padding.buffer).setBigUint64(padding.length - 8, BigInt(8 * length))
      add(padding)
      return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
    }
  }
}

/** Describes the request as it came in; scenarios/README.md says how. */
async function echo(request) {
  const { pathname, search } = new URL(request.url)
  const names = [...request.headers]
  const hash = sha256()
  const bytes = await drained(request.body?.getReader(), hash.add)
  return Response.json({
    method: request.method,
    url: pathname + search,
    urlBytes: (pathname + search).length,
    headers: { count: names.length, bytes: names.flat().join('').length },
    bytes,
    sha256: hash.end()
  })
}

async function answer(request, given) {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname === '/echo') return echo(request)
  const session = begin({ ...given, request })
  const text = searchParams.get('command') ?? ((await request.text()) || '{"do":"count"}')
  const outcome = await perform(JSON.parse(text), session)
  return session.response ?? Response.json(outcome)
}

export default {
  fetch: (request, env, ctx) => answer(request, { env, ctx }),
  /** Carries out the command in the variable SCHEDULED. */
  async scheduled(_event, env, ctx) {
    await perform(JSON.parse(env.SCHEDULED ?? '{"do":"time"}'), begin({ env, ctx }))
  },
  /** Carries out each message that is a command. */
  async queue(batch, env, ctx) {
    const session = begin({ env, ctx })
    for (const { body } of batch.messages) if (body?.do) await perform(body, session)
  }
}

/** A stateful object that does what it is told too; its alarm does what ALARM says. */
export class ProbeState {
  constructor(state, env) {
    this.given = { env, ctx: state, storage: state.storage }
  }

  fetch(request) {
    return answer(request, this.given)
  }

  async alarm() {
    await perform(JSON.parse(this.given.env.ALARM ?? '{"do":"time"}'), begin(this.given))
  }
}
