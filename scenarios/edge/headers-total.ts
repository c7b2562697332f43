import { KB, limit, unclear } from 'plimsoll'
import { echo, sized } from './_echo.ts'
import { bodyOf, waysOf, zoneOf } from './_way.ts'

/** Size of one of the headers that fill the request up: far below what a single one may have. */
const piece = 4_000
// Servers whose buffers are of one size leave room unused behind headers of some other sizes.
const ways = waysOf([
  ...['headers of 4 KB', 'headers of usual names, of 4 KB', 'headers of 4 KB, three of each name']
])
/** Less of one name than a single header may have: who takes it for one has that to allow, too. */
const alike = 3

/** Names that are sent at most once and that the client does not send by itself. */
const usual = ['cookie', 'referer', 'accept-language', 'cache-control', 'from', 'x-requested-with']

/** Headers whose names and values are `size` bytes in all. */
function filling(size: number, place: string): [name: string, value: string][] {
  const names = place.includes('usual') ? usual : []
  const each = place.includes('three of each') ? alike : 1
  const whole = Array.from({ length: Math.floor((size - 1) / piece) }, () => piece)
  const sizes = [...whole, size - piece * whole.length]
  return sizes.map((bytes, index) => {
    const name = (names[index] ?? `x${Math.floor(index / each)}`).slice(0, bytes)
    return [name, 'a'.repeat(bytes - name.length)]
  })
}

export default limit({
  title: 'The headers of a request may be 32 KB in all, names and values, and not more',
  max: 32 * KB,
  clause: 'limits.request.headers-total',
  unit: 'bytes',
  expectedReplies: ['closed'],
  needs: ['edge'],
  variants: Object.keys(ways),
  repeats: 1,
  smallest: 512,
  async probe(size, context, variant) {
    const way = ways[variant]!
    const { method, place } = way
    const zone = zoneOf(context, way)
    const body = bodyOf(way)
    const bare = await zone.send({ method, path: echo, body })
    if (!bare.json?.headers) return unclear(bare, `no echo at ${echo}: ${bare.because}`)
    // What an edge adds on the way to the echo is no part of the request.
    const added = bare.json.headers.bytes - bare.request.headerBytes!
    const headers = filling(size - bare.request.headerBytes!, place)
    const reply = await zone.send({ method, path: echo, headers, body })
    const told = reply.json?.headers?.bytes
    const all = size + added
    // Those of one name may arrive as one, their values behind another (RFC 9110, 5.2).
    const joined = 4 * (headers.length - new Set(headers.map(([name]) => name)).size)
    return sized(reply, Math.abs(told - all) <= joined ? all : told, all)
  }
})
