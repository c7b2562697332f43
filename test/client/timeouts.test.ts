import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { serve } from './servers.ts'

/** A server whose answer has this type, and no end. */
const endless = (type: string, status = 200) =>
  serve((_, response) => {
    response.writeHead(status, { 'content-type': type })
    const drip = setInterval(() => response.write('data: x\n\n'), 10)
    response.on('close', () => clearInterval(drip))
  })

/** The same question by either way to ask. */
async function both(url: string, options: { timeoutMs: number; deadlineMs?: number }) {
  const client = createClient({ endpoint: { url } })
  onTestFinished(() => client.close())
  return Promise.all([
    client.get('/', options),
    client.send({ method: 'GET', path: '/', ...options })
  ])
}

test.each([200, 503])('an event stream that goes on is an answer, here %i', async (status) => {
  const url = await endless('text/event-stream; charset=utf-8', status)
  for (const reply of await both(url, { timeoutMs: 300 })) {
    const because = `HTTP ${status}, an event stream that goes on`
    expect(reply).toMatchObject({ kind: 'answered', status, because })
    expect(reply.body).toMatch(/^(data: x\n\n)+$/)
  }
})

test('also one that is silent after its head', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  })
  for (const reply of await both(url, { timeoutMs: 200 }))
    expect(reply).toMatchObject({ kind: 'answered', status: 200, body: '' })
})

test('one that ends is whole, and a deadline waits for that', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: a\n\n')
    setTimeout(() => response.end('data: b\n\n'), 400)
  })
  for (const reply of await both(url, { timeoutMs: 200, deadlineMs: 20_000 })) {
    expect([reply.because, reply.body]).toEqual([
      'HTTP 200, an event stream that goes on',
      'data: a\n\n'
    ])
  }
  for (const reply of await both(url, { timeoutMs: 10_000, deadlineMs: 20_000 }))
    expect([reply.because, reply.body]).toEqual(['HTTP 200', 'data: a\n\ndata: b\n\n'])
})

test('what else does not end is none', async () => {
  const url = await endless('text/plain')
  for (const reply of await both(url, { timeoutMs: 200, deadlineMs: 300 }))
    expect(reply).toMatchObject({
      kind: 'timeout',
      status: 200,
      because: 'not finished after 300 ms'
    })
})
