const MiB = 1_048_576
const kept = []
let counter = 0
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const grow = {
  heap(to) {
    const kept = []
    for (let i = 0; i < to; i++) kept.push(new Array(131_072).fill(i + 0.5))
    return kept
  },
  async slowly(to) {
    const kept = []
    for (let i = 0; i < to; i++) {
      kept.push(new Array(131_072).fill(i + 0.5))
      await sleep(1)
    }
    return kept
  },
  buffers(to) {
    return Array.from({ length: to }, () => new Uint8Array(MiB).fill(1))
  },
  blobs(to) {
    return Array.from({ length: to }, () => new Blob([new Uint8Array(MiB)]))
  },
  files(to) {
    const form = new FormData()
    for (let i = 0; i < to; i++) form.append('file', new Blob(['x'.repeat(MiB)]), `${i}.txt`)
    return form
  },
  async parts(to) {
    const parts = []
    for (let i = 0; i < to; i++)
      parts.push((await new Response(new Uint8Array(MiB)).blob()).slice(1))
    return parts
  },
  copies(to) {
    return Array.from({ length: to }, () => structuredClone(new Blob([new Uint8Array(MiB)])))
  },
  readers(to) {
    return Array.from({ length: to }, () => new Blob([new Uint8Array(MiB)]).stream())
  },
  keys(to) {
    const hmac = { name: 'HMAC', hash: 'SHA-256' }
    const bytes = new Uint8Array(MiB)
    const make = () => crypto.subtle.importKey('raw', bytes, hmac, false, ['sign'])
    return Promise.all(Array.from({ length: to }, make))
  },
  digested(to) {
    const bytes = new Uint8Array(MiB)
    return Promise.all(Array.from({ length: to }, () => crypto.subtle.digest('SHA-1', bytes)))
  },
  async given(to, { KV }) {
    const bytes = new Uint8Array(4 * MiB)
    for (let i = 0; i < to; i += 4) KV.put(`${i}`, bytes)
    return true
  },
  wasm(to) {
    return new WebAssembly.Memory({ initial: to * 16 })
  },
  map(to) {
    const map = new Map()
    for (let i = 0; i < to * 12_000; i++) map.set(i, { i })
    return map
  },
  array(to) {
    return new Array(to * 131_072).fill(1.5)
  }
}
const garbage = {
  async blobs() {
    for (let i = 0; i < 400; i++) {
      new Blob([new Uint8Array(MiB)])
      if (i % 20 === 0) await null
    }
  },
  async shared() {
    // However many have a part of it, the bytes are there once.
    const blob = new Blob([new Uint8Array(20 * MiB)])
    const parts = []
    for (let i = 0; i < 20; i++) parts.push(blob.slice(i), new Blob([blob, 'x']))
    await sleep(1)
    if (parts[39].size !== 20 * MiB + 1) throw new Error('it has another size')
  },
  async buffers() {
    for (let i = 0; i < 400; i++) {
      new Uint8Array(MiB).fill(1)
      if (i % 20 === 0) await null
    }
  },
  async json() {
    const text = JSON.stringify(Array.from({ length: 5_000 }, (_, i) => ({ i, s: `x${i}` })))
    for (let i = 0; i < 60; i++) {
      JSON.parse(text)
      await null
    }
  }
}
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url)
    const [, what, how] = pathname.split('/')
    const to = Number(searchParams.get('to'))
    counter++
    if (what === 'grow') {
      const held = await grow[how](to, env)
      await sleep(1)
      return new Response(`held ${Boolean(held)}`)
    }
    if (what === 'garbage') {
      await garbage[how]()
      return new Response('collected')
    }
    if (what === 'keep') kept.push(new Uint8Array(to * MiB).fill(1))
    if (what === 'sleep') await sleep(to)
    return new Response(String(counter))
  }
}
