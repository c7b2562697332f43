import { expect, test } from 'vitest'
import { assertAcceptsUpTo, assertLimits } from '../../src/app/claim.ts'
import { boundary, limiter } from '../../src/vitest.ts'

/** An app that nobody gets to ask. */
function unasked() {
  const asked: string[] = []
  const app = (request: Request) => {
    asked.push(request.url)
    return new Response('')
  }
  return { app, asked }
}

test.each<[unknown, string]>([
  [{ bust: 5 }, 'bust is no field of the claim, which has burst, perSecond, status'],
  [{ burst: 5, persecond: 3 }, 'persecond is no field of the claim'],
  [{}, 'the claim says nothing: give one of burst, perSecond, status'],
  [{ burst: undefined }, 'the claim says nothing'],
  [undefined, 'the claim has to be an object with burst, perSecond, status'],
  [{ burst: 0 }, 'burst of the claim is 0, not a whole number from 1 on'],
  [{ burst: 5.5 }, 'burst of the claim is 5.5'],
  [{ burst: 'x' }, 'burst of the claim is "x"'],
  [{ perSecond: -1 }, 'perSecond of the claim is -1, not a number above 0'],
  [{ perSecond: Number.NaN }, 'perSecond of the claim is NaN'],
  [{ burst: 5, status: '429' }, 'status of the claim is "429", not a status from 100 to 599']
])('a claim of %j is wrong use', async (claim, because) => {
  const { app, asked } = unasked()
  const wrong = claim as never
  await expect(expect(app).toLimit(wrong)).rejects.toThrow(because)
  await expect(expect(app).not.toLimit(wrong)).rejects.toThrow(because)
  await expect(assertLimits(app, wrong)).rejects.toThrow(because)
  expect(asked).toEqual([])
})

test.each<[unknown, string]>([
  [{ pathh: '/' }, 'pathh is no field of the options, which has path, method, headers, clock'],
  [{ path: 'upload' }, 'path of the options is "upload", not a path that begins with /'],
  [{ method: 7 }, 'method of the options is 7'],
  [{ headers: { a: 1 } }, 'headers of the options is another object, not an object of names'],
  [{ patienceMs: 0 }, 'patienceMs of the options is 0'],
  [{ upTo: Number.POSITIVE_INFINITY }, 'upTo of the options is Infinity'],
  [
    { clock: { now: () => 0, advance: () => {} } },
    'clock of the options is another object, not an object with now(), which is a ' +
      'time in ms, and until(time), a promise that resolves once now() has reached that time'
  ]
])('options of %j are wrong use', async (options, because) => {
  const { app, asked } = unasked()
  const wrong = options as never
  await expect(limiter(app, wrong)).rejects.toThrow(because)
  await expect(boundary(app, wrong)).rejects.toThrow(because)
  await expect(expect(app).toLimit({ burst: 5 }, wrong)).rejects.toThrow(because)
  await expect(expect(app).not.toAcceptUpTo(9, wrong)).rejects.toThrow(because)
  expect(asked).toEqual([])
})

test('a size that cannot be is wrong use', async () => {
  const { app, asked } = unasked()
  for (const most of [0, 1.5, Number.NaN, '9' as never, undefined as never]) {
    const because = 'not a whole number from 1 on'
    await expect(expect(app).toAcceptUpTo(most)).rejects.toThrow(because)
    await expect(assertAcceptsUpTo(app, most)).rejects.toThrow(because)
  }
  await expect(boundary(app, { expected: -1 })).rejects.toThrow('expected of the options is -1')
  await expect(boundary(app, { of: 'form' as never })).rejects.toThrow('one of body, url, header')
  expect(asked).toEqual([])
})
