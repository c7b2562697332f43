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
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    const [, what, how] = pathname.split('/')
    const to = Number(searchParams.get('to'))
    counter++
    if (what === 'grow') {
      const held = await grow[how](to)
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
