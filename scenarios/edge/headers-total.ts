import { KB, limit, unclear } from 'plimsoll'
import { echo, sized } from './_echo.ts'

/** Size of one of the headers that fill the request up: far below what a single one may have. */
const piece = 4_000

/** Headers whose names and values are `size` bytes in all. */
function filling(size: number): [name: string, value: string][] {
  const whole = Array.from({ length: Math.floor((size - 1) / piece) }, () => piece)
  const sizes = [...whole, size - piece * whole.length]
  return sizes.map((bytes, index) => {
    const name = `x${index}`.slice(0, bytes)
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
  smallest: 512,
  async probe(size, { edge }) {
    const zone = edge.zone('pro')
    const bare = await zone.send({ method: 'GET', path: echo })
    if (!bare.json?.headers) return unclear(bare, `no echo at ${echo}: ${bare.because}`)
    const headers = filling(size - bare.json.headers.bytes)
    const reply = await zone.send({ method: 'GET', path: echo, headers })
    return sized(reply, reply.json?.headers?.bytes, size)
  }
})
