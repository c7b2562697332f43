import { KB, limit, unclear } from 'plimsoll'
import { echo, sized } from './_echo.ts'
import { bodyOf, waysOf, zoneOf } from './_way.ts'

const ways = waysOf(['x-fill', 'cookie', 'referer', 'x-a-name-that-is-longer-than-others'])

export default limit({
  title: 'One request header may be 16 KB, name and value together, and not more',
  max: 16 * KB,
  clause: 'limits.request.header-single',
  unit: 'bytes',
  expectedReplies: ['closed'],
  needs: ['edge'],
  variants: Object.keys(ways),
  repeats: 1,
  smallest: 64,
  async probe(size, context, variant) {
    const way = ways[variant]!
    const { method, place: name } = way
    const zone = zoneOf(context, way)
    const body = bodyOf(way)
    const bare = await zone.send({ method, path: echo, body })
    if (!bare.json?.headers) return unclear(bare, `no echo at ${echo}: ${bare.because}`)
    const headers: [string, string][] = [[name, 'a'.repeat(size - name.length)]]
    const reply = await zone.send({ method, path: echo, headers, body })
    return sized(reply, reply.json?.headers?.bytes, bare.json.headers.bytes + size)
  }
})
