import { describe, expect, onTestFinished, test } from 'vitest'
import { agents, register } from '../../src/fleet/agent-registry.ts'
import { leaseHolder, takeLease, whyEnd } from '../../src/fleet/lease.ts'
import { connect, shownUrl } from '../../src/fleet/redis.ts'
import { hasRedis, startRedis } from '../redis.ts'

async function opened() {
  const { url } = await startRedis()
  const { redis, part } = await connect(url)
  onTestFinished(part)
  return redis
}

describe.skipIf(!hasRedis())('through a Redis', () => {
  test('one has the agents at a time', async () => {
    const redis = await opened()
    const one = (await takeLease(redis, 'one'))!
    onTestFinished(one.release)
    expect(await takeLease(redis, 'other')).toBeUndefined()
    expect(await leaseHolder(redis)).toBe('one')
    expect(await redis.pttl('plimsoll:lease')).toBeGreaterThan(0)
    expect(await one.isHeld()).toBe(true)
    await redis.flushall()
    expect(await one.isHeld()).toBe(false)
    await one.release()
    const other = (await takeLease(redis, 'other'))!
    // What is given back late takes nothing from who has it now.
    await one.release()
    expect(await leaseHolder(redis)).toBe('other')
    await other.release()
    expect(await leaseHolder(redis)).toBeNull()
  })

  test('an order may go on while its lease lasts and nobody has stopped it', async () => {
    const redis = await opened()
    const lease = (await takeLease(redis, 'one'))!
    const order = { lease: 'one', id: 'one-1' }
    expect(await whyEnd(redis, order)).toBeUndefined()
    expect(await whyEnd(redis, { lease: 'earlier', id: 'earlier-1' })).toBe('deserted')
    await lease.stop('one-1')
    expect(await whyEnd(redis, order)).toBe('stopped')
    expect(await whyEnd(redis, { lease: 'one', id: 'one-2' })).toBeUndefined()
    await lease.release()
    expect(await whyEnd(redis, { lease: 'one', id: 'one-2' })).toBe('deserted')
  })

  test('who is there is told, and who has been silent for long is not', async () => {
    const redis = await opened()
    const entry = { threads: 2, version: '1', clockErrorMs: 0.1 }
    const withdraw = await register(redis, { id: 'b', ...entry })
    onTestFinished(await register(redis, { id: 'a', ...entry }))
    await redis.hset('plimsoll:agents', 'dead', JSON.stringify({ id: 'dead', ...entry, atMs: 0 }))
    expect(await agents(redis)).toEqual([
      { id: 'a', ...entry },
      { id: 'b', ...entry }
    ])
    expect(await redis.hkeys('plimsoll:agents')).not.toContain('dead')
    await withdraw()
    expect((await agents(redis)).map(({ id }) => id)).toEqual(['a'])
  })
})

test('a Redis that is not there is told of, and never with its password', async () => {
  expect(shownUrl('redis://me:secret@127.0.0.1:1/2')).toBe('redis://127.0.0.1:1/2')
  await expect(connect('redis://me:secret@127.0.0.1:1')).rejects.toThrow(
    /^no Redis answers at redis:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/
  )
})
