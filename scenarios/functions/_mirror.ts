import type { Client, Look, Reply } from 'plimsoll'
import { http2To, isAnswer, isMute, persistently, wordsOf } from '../_http2.ts'
import { answered } from './_mute.ts'

/**
 * A function that answers with what it was sent, and says what that was and who it is itself; what
 * it is to pass on goes as it came, and its answer comes so, with nothing read on the way.
 */
export const mirror = `
/** What a body is made of, by what was asked for. */
const forms = {
  text: (bytes) => new TextDecoder().decode(bytes),
  buffer: (bytes) => bytes.buffer,
  stream: (bytes) => new Response(bytes).body
}
export default {
  async fetch(request, env) {
    const to = request.headers.get('x-pass-to')
    if (to !== null) {
      const { method, headers, body } = request
      return fetch(to, { method, headers, body, duplex: 'half' })
    }
    const { host, pathname, search } = new URL(request.url)
    const header = request.headers.get('x-sent')
    const body = request.body && new Uint8Array(await request.arrayBuffer())
    // A body of no bytes may look like none.
    const bytes = body?.length || 'no'
    const seen = [request.method, host + pathname + search, header, bytes, 'bytes'].join(' ')
    const status = Number(request.headers.get('x-status') ?? 200)
    const headers = new Headers({ 'x-seen': encodeURIComponent(seen), 'x-name': env.NAME })
    for (const cookie of ['one=1', 'two=2']) headers.append('set-cookie', cookie)
    const form = body && forms[request.headers.get('x-form')]
    const made = form ? form(body) : body
    return new Response(status === 204 ? null : made, { status, headers })
  }
}`

/** A place where a function answers: how to get there, its host, and its name. */
export type Stand = { client: Client; host: string; name: string }

/** What a mirror is sent. */
export type Sent = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options'
  path: string
  /** What it is to answer with. */
  status: number
  header: string
  /** What the body of its answer is made of; bytes, where it is not said. */
  form?: 'text' | 'buffer' | 'stream'
  body?: string
}

/** Which mirror answered, if any did. */
export function nameOf({ headers }: Reply): string {
  return headers['x-name'] ?? 'no function'
}

/** Whether all the cookies of a mirror are set, each by a field of its own. */
const areSet = ({ 'set-cookie': set = '' }: Record<string, string>) =>
  ['one=1', 'two=2'].every((cookie) => set.split(/, */).includes(cookie))

/** Sends a mirror something, and sees whether it was that which came there and back. */
export async function reflected(
  { client, host, name }: Stand,
  { method, path, status, header, form, body }: Sent
): Promise<Look> {
  const headers = { 'x-sent': header, 'x-status': String(status), 'x-form': form ?? 'bytes' }
  const reply = await answered(() => client[method](path, { headers, body }))
  const bytes = Buffer.byteLength(body ?? '') || 'no'
  const asked = `${method.toUpperCase()} ${host}${path} ${header} ${bytes} bytes`
  const seen = decodeURIComponent(reply.headers['x-seen'] ?? 'nothing')
  const back = method === 'head' || status === 204 ? '' : (body ?? '')
  const isBack = reply.received === Buffer.byteLength(back) && back.startsWith(reply.body)
  const isMine = nameOf(reply) === name && reply.status === status && areSet(reply.headers)
  const holds = isMine && seen === asked && isBack
  const came = `${reply.received} bytes and cookies ${reply.headers['set-cookie']} came back`
  const odd = seen === asked ? came : `the function saw ${seen}`
  const saw = holds ? 'there and back' : `${reply.because} of ${nameOf(reply)}, ${odd}`
  return { asked, holds, saw, reply }
}

/** Sends a mirror something over HTTP/2, where that is spoken; `reply` is what HTTP/1.1 has. */
export async function reflectedOverHttp2({ client, host }: Stand, reply: Reply): Promise<Look[]> {
  const http2 = await http2To(client)
  const looks: Look[] = []
  for (const body of http2 ? [undefined, 'x'.repeat(30_000)] : []) {
    const question = { method: body === undefined ? 'GET' : 'POST', path: '/2?a=1', body }
    const sent = { ...question, headers: { 'x-sent': 'two' } }
    const told = await persistently(http2!, sent, { method: 'GET', path: '/' })
    // Whether a connection that breaks was about what was asked is not known.
    if (!isAnswer(told) && !isMute(told)) continue
    const asked = `${question.method} ${host}/2?a=1 two ${body?.length ?? 'no'} bytes`
    const headers = isAnswer(told) ? told.headers : {}
    const seen = decodeURIComponent(headers['x-seen'] ?? 'nothing')
    const isBack = isAnswer(told) && told.status === 200 && told.text === (body ?? '')
    const holds = isBack && seen === asked && areSet(headers)
    const saw = `${wordsOf(told)}, ${seen}, cookies ${headers['set-cookie']}`
    looks.push({ asked: `${asked} over HTTP/2`, holds, saw, reply })
  }
  http2?.close()
  return looks
}
