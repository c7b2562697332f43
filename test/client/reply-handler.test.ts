import { expect, test } from 'vitest'
import { createListener } from '../../src/client/reply-handler.ts'
import { clock } from '../../src/clock.ts'
import { parseAddress } from '../../src/target/address.ts'

test('a request is not sent once it has been given up', async () => {
  const { handler, reply } = createListener({
    request: { method: 'POST', url: 'http://127.0.0.1:1/', bodyBytes: 5 },
    address: parseAddress('http://127.0.0.1:1'),
    timeouts: { timeoutMs: 10, deadlineMs: 100, streamMs: 10 },
    clock
  })
  expect(await reply).toMatchObject({
    kind: 'refused',
    phase: 'connect',
    sent: 0,
    because: 'no connection in time at 127.0.0.1:1'
  })
  let reason: Error | undefined
  const controller = { aborted: false, paused: false, reason: null, pause() {}, resume() {} }
  handler.onRequestStart!({ ...controller, abort: (given) => (reason = given) }, undefined)
  expect(reason).toEqual(new Error('given up'))
})
