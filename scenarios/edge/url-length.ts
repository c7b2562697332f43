import { KB, limit } from 'plimsoll'
import { echo, sized } from './_echo.ts'

export default limit({
  title: 'A URL may be 16 KB long, and not longer',
  max: 16 * KB,
  clause: 'limits.request.url-length',
  unit: 'bytes',
  expectedReplies: ['closed'],
  needs: ['edge'],
  smallest: 64,
  async probe(size, { edge }) {
    const path = `${echo}?`.padEnd(size, 'a')
    const reply = await edge.zone('pro').send({ method: 'GET', path })
    return sized(reply, reply.json?.urlBytes, size)
  }
})
