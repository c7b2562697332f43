import { expect, test } from 'vitest'
import type { Bytes } from '../../../../src/platform/functions/isolate/contract.ts'
import { type CloseReason, createFlows } from '../../../../src/platform/functions/isolate/flow.ts'
import type { FlowMessage } from '../../../../src/platform/functions/isolate/message.ts'

/** The platform's end, and all that it sent. */
function open() {
  const sent: FlowMessage[] = []
  return { ...createFlows((message) => sent.push(message)), sent }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const told = (sent: FlowMessage[]) =>
  sent.map((message) => (message.t === 'chunk' ? Buffer.from(message.data).toString() : message.t))

/** Bytes that come when they are told to, and what became of them. */
function source() {
  const steps: PromiseWithResolvers<IteratorResult<Uint8Array>>[] = []
  const state = { read: 0, isLeft: false }
  const at = (index: number) => (steps[index] ??= Promise.withResolvers())
  let given = 0
  const iterator: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => iterator,
    next: () => at(state.read++).promise,
    async return() {
      state.isLeft = true
      return { done: true, value: undefined }
    }
  }
  return {
    state,
    bytes: iterator as Bytes,
    give: (text: string) => at(given++).resolve({ done: false, value: bytes(text) }),
    end: () => at(given++).resolve({ done: true, value: undefined }),
    fail: (error: Error) => at(given++).reject(error)
  }
}

test('nothing is read before it is pulled', async () => {
  const { supply } = open()
  const { bytes, state } = source()
  supply('q1', bytes)
  await settled()
  expect(state.read).toBe(0)
})

test('a pull takes what there is, as one chunk, and the end is a pull of its own', async () => {
  const { supply, take, sent } = open()
  const { bytes, give, end } = source()
  supply('q1', bytes)
  take({ t: 'pull', stream: 'q1' })
  give('a')
  await settled()
  give('b')
  give('c')
  end()
  await settled()
  expect(told(sent)).toEqual(['a'])
  take({ t: 'pull', stream: 'q1' })
  take({ t: 'pull', stream: 'q1' })
  expect(told(sent)).toEqual(['a', 'bc', 'end'])
})

test('it is not read far ahead', async () => {
  const { supply, take } = open()
  const { bytes, give, state } = source()
  supply('q1', bytes)
  take({ t: 'pull', stream: 'q1' })
  for (let n = 0; n < 20; n++) give('x'.repeat(131_072))
  for (let n = 0; n < 40; n++) await settled()
  expect(state.read).toBe(5)
})

test('a source that fails breaks the stream, after what came before', async () => {
  const { supply, take, sent } = open()
  const { bytes, give, fail } = source()
  supply('q1', bytes)
  give('a')
  fail(new TypeError('no more'))
  for (let n = 0; n < 2; n++) take({ t: 'pull', stream: 'q1' })
  await settled()
  await settled()
  expect(told(sent)).toEqual(['a', 'broken'])
  expect(sent[1]).toMatchObject({ fault: { name: 'TypeError', message: 'no more' } })
})

test.each(['cancel', 'forget', 'supplied anew'])('a source is let go: %s', async (how) => {
  const { supply, take, forget, sent } = open()
  const { bytes, give, state } = source()
  supply('r1', bytes)
  take({ t: 'pull', stream: 'r1' })
  if (how === 'cancel') take({ t: 'cancel', stream: 'r1' })
  else if (how === 'forget') forget(['r1'])
  else supply('r1', source().bytes)
  give('late')
  await settled()
  expect(state.isLeft).toBe(true)
  expect(told(sent)).toEqual([])
})

/** What is received on `a1`. */
function receive(granted = 2) {
  const flows = open()
  const endings: CloseReason[] = []
  const received = flows.receive('a1', { granted, onEnd: (ending) => endings.push(ending) })
  return { ...flows, endings, iterator: received[Symbol.asyncIterator]() }
}

test('what was granted is not pulled, and what has been read is pulled for', async () => {
  const { take, iterator, sent } = receive()
  expect(sent).toEqual([])
  take({ t: 'chunk', stream: 'a1', data: bytes('a') })
  expect((await iterator.next()).value).toEqual(bytes('a'))
  expect(told(sent)).toEqual(['pull'])
})

test('without a grant it is pulled at once', () => {
  expect(told(receive(0).sent)).toEqual(['pull'])
})

test('what came before the end is read before it', async () => {
  const { take, iterator, endings } = receive()
  take({ t: 'chunk', stream: 'a1', data: bytes('a') })
  take({ t: 'end', stream: 'a1' })
  expect(endings).toEqual(['whole'])
  expect([(await iterator.next()).done, (await iterator.next()).done]).toEqual([false, true])
})

test('a fault is met when all before it has been read', async () => {
  const { take, iterator, endings } = receive()
  take({ t: 'chunk', stream: 'a1', data: bytes('a') })
  take({ t: 'broken', stream: 'a1', fault: { name: 'Error', message: 'broke' } })
  expect((await iterator.next()).done).toBe(false)
  await expect(iterator.next()).rejects.toThrow('broke')
  expect(endings).toMatchObject([{ message: 'broke' }])
})

test('who leaves is told of once, even before he has begun', async () => {
  const { iterator, sent, endings, take } = receive()
  await iterator.return!()
  await iterator.return!()
  expect(told(sent)).toEqual(['cancel'])
  expect(endings).toEqual(['left'])
  take({ t: 'chunk', stream: 'a1', data: bytes('late') })
  expect((await iterator.next()).done).toBe(true)
})

test('who waits does not wait for ever', async () => {
  const { iterator, forget } = receive()
  const next = iterator.next()
  forget(['a1'])
  await expect(next).rejects.toThrow('stopped')
})

/** A stream that is read here and not there. */
function divert(from = 'r1') {
  const flows = open()
  const endings: CloseReason[] = []
  const given = source()
  flows.supply(from, given.bytes)
  const bytes = flows.divert('a1', { from, onEnd: (ending) => endings.push(ending) })
  return { ...flows, ...given, endings, iterator: bytes[Symbol.asyncIterator]() }
}

test('what is diverted is read as it comes, and its end is told', async () => {
  const { iterator, give, end, endings, sent } = divert()
  give('a')
  end()
  expect((await iterator.next()).value).toEqual(bytes('a'))
  expect((await iterator.next()).done).toBe(true)
  expect(endings).toEqual(['whole'])
  expect(sent).toEqual([{ t: 'end', stream: 'r1' }])
})

test('nobody counts a request as open, so nobody is told of its end', async () => {
  const { iterator, end, sent } = divert('q1')
  end()
  await iterator.next()
  expect(sent).toEqual([])
})

test('what is diverted can fail', async () => {
  const { iterator, fail, endings } = divert()
  fail(new Error('broke'))
  await expect(iterator.next()).rejects.toThrow('broke')
  expect(endings).toMatchObject([{ message: 'broke' }])
})

test('who leaves what is diverted has its source let go', async () => {
  const { iterator, state, endings } = divert()
  await iterator.return!()
  expect([state.isLeft, endings]).toEqual([true, ['left']])
})

test('what is diverted can be cut off', async () => {
  const { iterator, forget, give, state } = divert()
  const next = iterator.next()
  forget(['a1'])
  give('late')
  await expect(next).rejects.toThrow('stopped')
  expect(state.isLeft).toBe(true)
})

test('what is not there cannot be diverted', async () => {
  const { divert } = open()
  const iterator = divert('a1', { from: 'r9', onEnd: () => {} })[Symbol.asyncIterator]()
  await expect(iterator.next()).rejects.toThrow('not to be had')
})
