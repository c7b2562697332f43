import { expect, test } from 'vitest'
import { createFetch } from '../../../../../src/platform/functions/isolate/guest/api/fetch.ts'
import type { Request as Asked } from '../../../../../src/platform/functions/isolate/guest/calls.ts'

const url = 'http://origin.test/upload'
const calls: Asked[] = []
const fetch = createFetch({
  async call(asked) {
    calls.push(asked)
    return { value: { status: 200, headers: [] } }
  },
  scopeOf: () => undefined,
  take() {},
  forget() {}
})

/** A request such as a function gets, with a body that comes from elsewhere. */
function incoming(): Request {
  const body = new ReadableStream({ type: 'bytes' })
  const headers = { 'x-from': 'client', 'content-length': '9' }
  return new Request(url, { method: 'PUT', headers, body, duplex: 'half' } as RequestInit)
}

const last = () => calls.at(-1)!
const head = () => last().args[0] as { method: string; url: string; headers: [string, string][] }

test('a request that is handed on gives away its own body, and no copy of it', async () => {
  const request = incoming()
  await fetch(request)
  expect(last().body).toBe(request.body)
  expect(head()).toMatchObject({ method: 'PUT', url })
  expect(head().headers).toContainEqual(['x-from', 'client'])
})

test('so does one made of it for another address, or with other headers', async () => {
  const request = incoming()
  await fetch(new Request('http://other.test/', request))
  expect(last().body).toBe(request.body)
  expect(head().url).toBe('http://other.test/')
  const again = incoming()
  await fetch(again, { headers: { 'x-from': 'function' } })
  expect(last().body).toBe(again.body)
  expect(head().headers).toEqual([['x-from', 'function']])
})

test('bytes cross as bytes, in place of what the request had', async () => {
  await fetch(incoming(), { body: 'text' })
  expect(last().body).toEqual(new TextEncoder().encode('text'))
})

test('a body is given away once, and not by a method that has none', async () => {
  const request = incoming()
  request.body!.getReader()
  await expect(fetch(request)).rejects.toThrow('has been used already')
  await expect(fetch(incoming(), { method: 'GET' })).rejects.toThrow('cannot have a body')
})
