import { accepted, limit, rejected, unclear } from 'plimsoll'
import { made } from '../_reader.ts'

export default limit({
  title: 'A title may have 40 characters',
  max: 40,
  clause: 'book.title-length',
  unit: 'characters',
  needs: ['service'],
  async probe(length, { service }) {
    const { reply } = await made(service, { title: 'x'.repeat(length) })
    if (reply.status === 422) return rejected(reply)
    return reply.json?.title?.length === length ? accepted(reply) : unclear(reply)
  }
})
