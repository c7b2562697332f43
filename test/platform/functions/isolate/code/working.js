const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
let _sink = 0
const work = (rounds) => {
  for (let i = 0; i < rounds * 1e5; i++) _sink += Math.sqrt(i)
}
export default {
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    const n = Number(searchParams.get('n'))
    if (pathname === '/loop') for (;;) work(1)
    if (pathname === '/parts')
      for (let i = 0; i < n; i++) {
        work(1)
        await sleep(0)
      }
    if (pathname === '/sleep') await sleep(n)
    if (pathname === '/naps') for (let i = 0; i < n; i++) await sleep(20)
    if (pathname === '/bigint') {
      let x = 3n ** 100_000n
      for (;;) x = x * x
    }
    if (pathname === '/log') {
      for (let i = 0; i < n; i++) console.log('ä'.repeat(512))
    }
    if (pathname === '/values')
      console.log('a', 1, { b: [2] }, null, undefined, new Error('e').message)
    if (pathname === '/inspected')
      console.log({
        [Symbol.for('nodejs.util.inspect.custom')]() {
          return 'ran'
        }
      })
    return new Response('ok')
  },
  async scheduled() {
    for (;;) work(1)
  }
}
