// Every way in which a function may spin, each entered from somewhere else, and an innocent.
const spin = () => {
  for (;;);
}
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const never = (begin) => new Promise(() => begin())
const thenable = (then) => ({ then })

const shapes = {
  sync: () => spin(),
  microtask: async () => {
    await 0
    spin()
  },
  queueMicrotask: () => never(() => queueMicrotask(spin)),
  timer: () => never(() => setTimeout(spin, 3)),
  interval: () => never(() => setInterval(spin, 3)),
  event() {
    const target = new EventTarget()
    target.addEventListener('x', spin)
    target.dispatchEvent(new Event('x'))
  },
  digest: () => crypto.subtle.digest('SHA-256', new Uint8Array(9)).then(spin),
  pull: () => new Response(new ReadableStream({ pull: spin })).text(),
  transform() {
    const { readable, writable } = new TransformStream({ transform: spin })
    writable.getWriter().write(1)
    return readable.getReader().read()
  },
  compression() {
    const { readable, writable } = new CompressionStream('gzip')
    const writer = writable.getWriter()
    writer.write(new Uint8Array(1e5))
    writer.close()
    return readable.getReader().read().then(spin)
  },
  blob: () => new Blob(['x'.repeat(1e5)]).arrayBuffer().then(spin),
  wasm: () => WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(spin),
  abort() {
    const controller = new AbortController()
    controller.signal.addEventListener('abort', spin)
    controller.abort()
  },
  abortTimeout: () => never(() => AbortSignal.timeout(3).addEventListener('abort', spin)),
  responseStream: () =>
    new Response(
      new ReadableStream({
        async pull() {
          await sleep(2)
          spin()
        }
      })
    ),
  getter: () =>
    new Response('x', {
      get status() {
        return spin()
      }
    }),
  json: () => JSON.stringify({ toJSON: spin }),
  regex: () => /^(a+)+$/.test(`${'a'.repeat(40)}b`),
  generator: () => [
    ...(function* () {
      for (;;) yield 1
    })()
  ],
  fetchThen: () => fetch('http://elsewhere.test/').then(spin),
  fetchBody: async () => {
    const response = await fetch('http://elsewhere.test/')
    await response.text()
    spin()
  },
  storm: async () => {
    for (;;) await null
  },
  parts: async () => {
    for (;;) {
      for (let work = 0; work < 3e5; work++) Math.sqrt(work)
      await sleep(1)
    }
  },
  finally() {
    for (;;) {
      try {
        spin()
      } finally {
      }
    }
  },
  proxy: () => new Proxy({}, { get: spin }).x,
  thrown() {
    throw {
      get message() {
        return spin()
      }
    }
  },
  unhandled() {
    Promise.reject({
      get stack() {
        return spin()
      }
    })
    return sleep(1e4)
  },
  waitUntil(context) {
    context.waitUntil(sleep(2).then(spin))
    return sleep(1e4)
  },
  waitUntilThenable(context) {
    context.waitUntil(thenable(spin))
    return sleep(1e4)
  },
  // What the guest's own code asks of a value that a function gave it.
  answerThenable: () => thenable(spin),
  answerText: () => ({ toString: spin }),
  answerProxy: () => new Proxy(new Response('x'), { get: spin }),
  headersGetter: () =>
    new Response('x', {
      get headers() {
        return spin()
      }
    }),
  requestGetter: () =>
    new Request('http://elsewhere.test/', {
      get method() {
        return spin()
      }
    }),
  thrownText() {
    throw Object.assign(new Error(), { message: { toString: spin } })
  },
  preparedStack() {
    Error.prepareStackTrace = spin
    try {
      throw new Error().stack
    } finally {
      Error.prepareStackTrace = undefined
    }
  },
  timerDelay: () => setTimeout(() => {}, { valueOf: spin }),
  timerNaN: () => never(() => setTimeout(spin, { valueOf: () => Number.NaN })),
  specifier: () => import({ toString: spin }),
  importOptions: () =>
    import('./none.js', {
      with: {
        get type() {
          return spin()
        }
      }
    }),
  clone: () =>
    structuredClone({
      get x() {
        return spin()
      }
    }),
  consoleText: () => console.log('%s', { toString: spin }),
  microtasks: () => {
    const again = () => queueMicrotask(again)
    return never(again)
  },
  thenables: () => {
    const endless = thenable((resolve) => resolve(endless))
    return endless
  },
  iterators: () => Iterator.from({ next: () => ({ value: 1 }) }).reduce((sum) => sum + 1),
  asyncIterators: () => Array.fromAsync({ [Symbol.asyncIterator]: () => ({ next: () => ({}) }) }),
  groups: () => Map.groupBy([1], spin),
  loopOfWasm: () => {
    const code = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0]
    const loop = new Uint8Array([...code, 10, 9, 1, 7, 0, 3, 64, 12, 0, 11, 11])
    return new WebAssembly.Instance(new WebAssembly.Module(loop)).exports.f()
  }
}

// Enough of work and waiting that it would be hit by whatever is aimed at another.
async function innocent() {
  for (let round = 0; round < 25; round++) {
    for (let work = 0; work < 2_000; work++) Math.sqrt(work)
    await sleep(4)
    await null
  }
  return new Response('fine')
}

export default {
  async fetch(request, _env, context) {
    const { pathname } = new URL(request.url)
    const name = pathname.slice(1)
    if (name === 'innocent') return innocent()
    if (name === 'shapes') return new Response(Object.keys(shapes).join())
    const value = await shapes[name](context)
    return value instanceof Response ? value : new Response(String(value))
  }
}
