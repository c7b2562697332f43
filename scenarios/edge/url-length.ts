import { KB, limit } from 'plimsoll'
import { echo, sized } from './_echo.ts'
import { waysOf, zoneOf } from './_way.ts'

/** As many whole codes as there is room for: half of one is no URL. */
const coded = (size: number, code: string) => {
  const start = `${echo}?`
  return (start + code.repeat((size - start.length) / code.length)).padEnd(size, 'a')
}

const filled = {
  'one parameter': (size: number) => `${echo}?`.padEnd(size, 'a'),
  'many parameters': (size: number) => `${echo}?`.padEnd(size, 'b=1&'),
  'percent codes': (size: number) => coded(size, '%61'),
  'percent codes of letters of two bytes': (size: number) => coded(size, '%C3%A9')
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
