// Ways out of what a function may use that begin with a request: a handler each.
const spin = () => {
  for (;;);
}
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

export const ruses = {
  prepareStack: {
    async request() {
      Error.prepareStackTrace = spin
      throw new Error('x')
    }
  },
  thrownStack: {
    async request() {
      throw Object.defineProperty(new Error('x'), 'stack', { get: spin })
    }
  },
  thrownName: {
    async request() {
      throw {
        get name() {
          return spin()
        }
      }
    }
  },
  rejectedLater: {
    request() {
      Promise.reject({
        get name() {
          return spin()
        }
      })
      return sleep(1e3)
    }
  },
  headerValue: {
    request: () =>
      ({ headers: { [Symbol.iterator]: spin }, status: 200 }) &&
      new Response('', {
        headers: {
          get a() {
            return spin()
          }
        }
      })
  },
  bodyIterator: {
    request: () => new Response(new ReadableStream({ type: 'bytes', pull: spin }))
  },
  cancelled: {
    request: () => new Response(new ReadableStream({ pull() {}, cancel: spin })).body.cancel()
  },
  logged: {
    request() {
      console.log(new Proxy({}, { ownKeys: spin }), { toString: spin })
      spin()
    }
  },
  cloned: {
    request: () =>
      structuredClone({
        get a() {
          return spin()
        }
      })
  },
  sorted: { request: () => [2, 1].sort(spin) },
  replaced: { request: () => 'a'.replace(/a/, spin) },
  bigint: {
    request() {
      let x = 3n ** 100_000n
      for (;;) x = x * x
    }
  },
  caught: {
    request() {
      for (;;) {
        try {
          spin()
        } catch {}
      }
    }
  },
  deep: {
    request() {
      const dive = () => {
        try {
          dive()
        } finally {
          dive()
        }
      }
      dive()
    }
  },
  intervals: {
    request() {
      for (let n = 0; n < 50; n++)
        setInterval(() => {
          for (let work = 0; work < 1e6; work++) Math.sqrt(work)
        }, 0)
      return sleep(1e3)
    }
  },
  waits: {
    request(context) {
      context.waitUntil(sleep(1).then(spin))
      return sleep(1e3)
    }
  },
  encrypts: {
    async request() {
      const aes = await crypto.subtle.generateKey({ name: 'AES-CBC', length: 256 }, true, [
        'encrypt'
      ])
      const bytes = new Uint8Array(2e7)
      const iv = new Uint8Array(16)
      for (;;)
        await Promise.all(
          [1, 2, 3].map(() => crypto.subtle.encrypt({ name: 'AES-CBC', iv }, aes, bytes))
        )
    }
  },
  digests: {
    async request() {
      const bytes = new Uint8Array(2e7)
      for (;;) await Promise.all([1, 2, 3].map(() => crypto.subtle.digest('SHA-512', bytes)))
    }
  },
  compresses: {
    async request() {
      const chunk = crypto.getRandomValues(new Uint8Array(65_536))
      const { readable, writable } = new CompressionStream('gzip')
      const reader = readable.getReader()
      const writer = writable.getWriter()
      void (async () => {
        for (;;) await reader.read()
      })()
      for (;;) await writer.write(chunk)
    }
  },
  blobs: {
    async request() {
      const held = []
      for (let n = 0; n < 60; n++) held.push(new Blob([new Uint8Array(5e7)]))
      await sleep(1e3)
    }
  }
}
