import { KB, limit, unclear } from 'plimsoll'
import { echo, sized } from './_echo.ts'

export default limit({
  title: 'One request header may be 16 KB, name and value together, and not more',
  max: 16 * KB,
  clause: 'limits.request.header-single',
  unit: 'bytes',
  expectedReplies: ['closed'],
  needs: ['edge'],
  smallest: 64,
  async probe(size, { edge }) {
    const zone = edge.zone('pro')
    const bare = await zone.send({ method: 'GET', path: echo })
    if (!bare.json?.headers) return unclear(bare, `no echo at ${echo}: ${bare.because}`)
    const headers: [string, string][] = [['x-fill', 'a'.repeat(size - 'x-fill'.length)]]
    const reply = await zone.send({ method: 'GET', path: echo, headers })
    return sized(reply, reply.json?.headers?.bytes, bare.json.headers.bytes + size)
  }
})
