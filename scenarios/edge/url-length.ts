import { KB, limit } from 'plimsoll'
import { echo, sized } from './_echo.ts'
import { waysOf, zoneOf } from './_way.ts'

const filled = {
  'one parameter': (size: number) => `${echo}?`.padEnd(size, 'a'),
  'many parameters': (size: number) => `${echo}?`.padEnd(size, 'b=1&')
}
// Who counts the request line counts the method too, so that another one has another boundary.
const ways = waysOf(Object.keys(filled) as (keyof typeof filled)[], ['GET'])

export default limit({
  title: 'A URL may be 16 KB long, and not longer',
  max: 16 * KB,
  clause: 'limits.request.url-length',
  unit: 'bytes',
  expectedReplies: ['closed'],
  needs: ['edge'],
  variants: Object.keys(ways),
  repeats: 1,
  smallest: 64,
  async probe(size, context, variant) {
    const way = ways[variant]!
    const path = filled[way.place](size)
    const reply = await zoneOf(context, way).send({ method: way.method, path })
    return sized(reply, reply.json?.urlBytes, size)
  }
})
