import { expect, test } from 'vitest'
import { layerOfRate, layerOfSize } from '../../../src/limit/layers/layer.ts'
import type { RateLimit } from '../../../src/limit/rate-limit.ts'
import { reply } from '../replies.ts'

const found = (rejected: number, refusal = reply(431)) => {
  return { kind: 'found' as const, accepted: rejected - 1, rejected, refusal }
}
const page = (status: number, body: string) => reply(status, { body, received: body.length })

test('what the origin takes is refused by the front', () => {
  const origin = { kind: 'unlimited' as const, accepted: 1_048_576 }
  expect(layerOfSize(found(8_178), origin)).toEqual({
    ...{ by: 'front', because: 'the origin takes 1,048,576' }
  })
  expect(layerOfSize(found(8_178), found(16_350))).toMatchObject({ by: 'front' })
})

test('the same refusal, but for the headers of a front, is that of the origin', () => {
  expect(layerOfSize(found(16_378), found(16_350))).toEqual({
    by: 'origin',
    because: 'asked itself, it refuses at 16,350, with the same answer'
  })
  const said = page(413, 'more than 20,000 bytes')
  expect(layerOfSize(found(20_001, said), found(20_001, said))).toMatchObject({ by: 'origin' })
})

test('at the same place it is the one whose answer it is', () => {
  const front = found(1_000, page(400, 'nginx'))
  expect(layerOfSize(front, found(1_000))).toMatchObject({ by: 'front' })
})

test('an origin that says nothing is spoken for by the front', () => {
  const closed = reply(0, { kind: 'closed' })
  expect(layerOfSize(found(9_000, reply(502)), found(9_010, closed))).toMatchObject({
    by: 'origin'
  })
  expect(layerOfSize(found(9_000, reply(400)), found(9_010, closed))).toMatchObject({ by: 'front' })
})

test('what is taken through the front but not by the origin is not told', () => {
  expect(layerOfSize(found(16_350), found(8_178))).toMatchObject({ by: 'unclear' })
  expect(layerOfSize(found(8_178), { kind: 'unclear' })).toMatchObject({ by: 'unclear' })
  expect(layerOfSize({ kind: 'unlimited', accepted: 9 }, found(8))).toBeUndefined()
})

const bucket: RateLimit = {
  ...{ algorithm: 'token-bucket', burst: 6, perSecond: 10, status: 429 },
  ...{ because: 'one every 100 ms', repeats: '3/3' }
}

test('a rate is limited by whoever limits it in the same way', () => {
  const none: RateLimit = { algorithm: 'none', because: '', repeats: '1/1' }
  expect(layerOfRate(bucket, none)).toMatchObject({ by: 'front' })
  expect(layerOfRate(bucket, { ...bucket, perSecond: 10.2 })).toMatchObject({ by: 'origin' })
  expect(layerOfRate(bucket, { ...bucket, burst: 7 })).toMatchObject({ by: 'front' })
  expect(layerOfRate(bucket, { ...none, algorithm: 'unclear' })).toMatchObject({ by: 'unclear' })
  expect(layerOfRate(none, bucket)).toBeUndefined()
})
