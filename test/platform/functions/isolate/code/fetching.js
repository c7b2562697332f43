import { connect } from 'edge:sockets'

const at = (path) => `http://elsewhere.test${path}`
const settle = async (promises) =>
  (await Promise.allSettled(promises)).map((p) =>
    p.status === 'fulfilled' ? p.value : p.reason.message
  )
const times = (count, make) => Array.from({ length: count }, (_, i) => make(i))
const what = {
  fetches: (count) => settle(times(count, () => fetch(at('/ok')).then((r) => r.text()))),
  unread: (count) => settle(times(count, (i) => fetch(at(`/drip/${i}`)).then((r) => r.status))),
  cancelled: (count) =>
    settle(
      times(count, (i) =>
        fetch(at(`/drip/${i}`))
          .then((r) => r.body.cancel())
          .then(() => 'cancelled')
      )
    ),
  slow: (count) => settle(times(count, () => fetch(at('/slow')).then((r) => r.text()))),
  async redirect(hops) {
    const r = await fetch(at(`/hop/${hops}`))
    return [r.status, r.url, r.redirected, await r.text()]
  },
  async manual() {
    const r = await fetch(at('/hop/2'), { redirect: 'manual' })
    return [r.status, r.headers.get('location')]
  },
  barred: (count) => settle(times(count, () => fetch(at('/hop/1'), { redirect: 'error' }))),
  async stuck() {
    const six = await Promise.all(times(6, (i) => fetch(at(`/drip/${i}`))))
    const first = six[0].body.getReader()
    await first.read()
    const seventh = await fetch(at('/ok')).then((r) => r.text())
    const later = await settle(
      six.slice(1).map((r) =>
        r.body
          .getReader()
          .read()
          .then(({ value }) => value.length)
      )
    )
    return [seventh, ...later]
  },
  async cached(count, _env) {
    return settle(
      times(count, (i) =>
        i % 2
          ? caches.default.match(at('/c')).then(() => 'none')
          : fetch(at('/ok')).then((r) => r.text())
      )
    )
  },
  kv: (count, env) => settle(times(count, (i) => env.KV.get(`k${i}`))),
  async post() {
    const r = await fetch(at('/echo'), { method: 'POST', body: 'whole', redirect: 'follow' })
    return r.text()
  },
  async moved() {
    const r = await fetch(at('/moved'), { method: 'POST', body: 'again' })
    return r.text()
  },
  async streamed() {
    const { readable, writable } = new TransformStream()
    const w = writable.getWriter()
    w.write(new TextEncoder().encode('in '))
    w.write(new TextEncoder().encode('parts'))
    w.close()
    return (await fetch(at('/echo'), { method: 'POST', body: readable, duplex: 'half' })).text()
  },
  async zipped() {
    const r = await fetch(at('/zipped'))
    return [r.headers.get('content-encoding'), await r.text()]
  },
  async aborted() {
    const c = new AbortController()
    const p = fetch(at('/never'), { signal: c.signal })
    setTimeout(() => c.abort(), 5)
    return settle([p])
  },
  async head() {
    const r = await fetch(at('/ok'), { method: 'HEAD' })
    return [r.status, r.body]
  },
  async refused() {
    return settle([fetch('http://refused.test/'), fetch('ftp://elsewhere.test/')])
  },
  async down() {
    return settle([fetch('http://down.test/')])
  },
  async socket() {
    const s = connect('elsewhere.test:7')
    const w = s.writable.getWriter()
    await w.write(new TextEncoder().encode('hello'))
    await w.close()
    return new Response(s.readable).text()
  },
  async sockets(count) {
    const opened = times(count, () => connect({ hostname: 'elsewhere.test', port: 7 }))
    return settle(opened.map((s) => s.opened.then(() => s.close()).then(() => 'open')))
  }
}
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url)
    return Response.json(await what[pathname.slice(1)](Number(searchParams.get('n')), env))
  }
}
