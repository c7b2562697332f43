const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
let counter = 0
const _order = ''
export class Room {
  constructor(state, env) {
    this.state = state
    this.env = env
    this.visits = 0
  }
  async fetch(_request) {
    this.visits++
    const seen = (await this.state.storage.get('seen')) ?? 0
    await this.state.storage.put('seen', seen + 1)
    await this.state.storage.put({ a: 1, b: [2] })
    const listed = [...(await this.state.storage.list({ prefix: '' })).keys()]
    return Response.json({ id: String(this.state.id), visits: this.visits, seen, listed })
  }
  async alarm(info) {
    await this.state.storage.put('rang', info.retryCount)
  }
}
export default {
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url)
    const what = pathname.slice(1)
    if (what === 'count') return new Response(String(++counter))
    if (what === 'throw') throw new RangeError('thrown')
    if (what === 'pass') {
      context.passThroughOnException()
      throw new Error('passing')
    }
    if (what === 'nothing') return
    if (what === 'env') return Response.json([env.TEXT, Object.keys(env)])
    if (what === 'head')
      return new Response('body of no use', {
        status: 201,
        headers: [
          ['a', '1'],
          ['set-cookie', 'b=2'],
          ['set-cookie', 'c=3']
        ]
      })
    if (what === 'request')
      return Response.json({
        method: request.method,
        url: request.url,
        headers: [...request.headers],
        cf: request.cf,
        body: await request.text()
      })
    if (what === 'breaks')
      return new Response(
        new ReadableStream({
          async pull(c) {
            c.enqueue(new TextEncoder().encode('part'))
            await sleep(5)
            c.error(new Error('broke'))
          }
        })
      )
    if (what === 'text-stream')
      return new Response(
        new ReadableStream({
          start(c) {
            c.enqueue('text')
          }
        })
      )
    if (what === 'drip') {
      let i = 0
      return new Response(
        new ReadableStream({
          async pull(c) {
            await sleep(3)
            if (i++ === 5) c.close()
            else c.enqueue(new TextEncoder().encode(String(i)))
          }
        })
      )
    }
    if (what === 'later') {
      context.waitUntil(sleep(20).then(() => console.log('later')))
      return new Response('now')
    }
    if (what === 'forever') {
      context.waitUntil(new Promise(() => setInterval(() => console.log('tick'), 1)))
      return new Response('now')
    }
    if (what === 'rejects') {
      context.waitUntil(Promise.reject(new Error('no')))
      return new Response('now')
    }
    if (what === 'hang') {
      if (searchParams.has('wait')) context.waitUntil(sleep(30).then(() => console.log('waited')))
      setInterval(() => console.log('tick'), 1)
      await sleep(1e6)
    }
    if (what === 'uncaught') {
      setTimeout(() => {
        throw new Error('in a timer')
      })
      await sleep(5)
      return new Response('answered')
    }
    if (what === 'cleared') {
      const timer = setTimeout(() => console.log('fired'), 1)
      clearTimeout(timer)
      await sleep(10)
      return new Response('cleared')
    }
    if (what === 'kv') {
      await env.KV.put('key', 'a value', { metadata: { m: 1 } })
      const got = await env.KV.getWithMetadata('key')
      return Response.json([
        got,
        await env.KV.get('key', 'json').catch((e) => e.name),
        await env.KV.get('missing'),
        await env.KV.list({ prefix: 'k' }),
        (await env.KV.get('key', 'arrayBuffer')).byteLength
      ])
    }
    if (what === 'objects') {
      const put = await env.BUCKET.put('o', new Uint8Array([104, 105]), {
        customMetadata: { a: 'b' }
      })
      const got = await env.BUCKET.get('o')
      return Response.json([
        put,
        await got.text(),
        got.size,
        await env.BUCKET.get('none'),
        await env.BUCKET.head('o')
      ])
    }
    if (what === 'queue') {
      await env.QUEUE.send({ n: 1 })
      await env.QUEUE.sendBatch([{ body: 'two', delaySeconds: 3 }])
      return new Response('sent')
    }
    if (what === 'cache') {
      await caches.default.put(
        'http://x.test/c',
        new Response('kept', { headers: { 'cache-control': 'max-age=9' } })
      )
      const hit = await caches.default.match('http://x.test/c')
      return Response.json([
        await hit.text(),
        hit.headers.get('cache-control'),
        (await caches.default.match('http://x.test/none')) === undefined,
        await caches.default.delete('http://x.test/c')
      ])
    }
    if (what === 'service') {
      const r = await env.OTHER.fetch('http://other.test/path', { method: 'POST', body: 'to it' })
      return new Response(r.status + (await r.text()))
    }
    if (what === 'room') {
      const id = env.ROOM.idFromName('a')
      const same = env.ROOM.idFromString(String(id))
      return Response.json([
        String(id) === String(same),
        await (await env.ROOM.get(id).fetch('http://room.test/')).text()
      ])
    }
    if (what === 'foreign') {
      return new Response(await env.KV.get('x'))
    }
    if (what === 'through') return new Response(request.body.pipeThrough(new TransformStream()))
    if (what === 'store') {
      await env.BUCKET.put('large', request.body)
      return new Response('stored')
    }
    if (what === 'abort-body') {
      const controller = new AbortController()
      const answer = await env.OTHER.fetch('http://other.test/', {
        method: 'POST',
        body: 'to it',
        signal: controller.signal
      })
      controller.abort('why not')
      return new Response(await answer.text().catch((reason) => reason))
    }
    return new Response(request.body)
  },
  async scheduled(controller, _env, context) {
    console.log(controller.cron, controller.scheduledTime)
    if (controller.cron === 'bad') throw new Error('not now')
    context.waitUntil(sleep(5).then(() => console.log('after')))
  },
  async queue(batch, _env, _context) {
    for (const message of batch.messages) {
      if (message.body.bad) message.retry()
      else if (message.body.good) message.ack()
    }
    if (batch.queue === 'all') batch.ackAll()
  }
}
