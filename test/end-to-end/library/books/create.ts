import { check } from 'plimsoll'
import { made, reader } from '../_reader.ts'

export default check({
  title: 'A book is made, and kept as it was sent',
  clauses: [
    ...['book.created', 'book.location', 'book.field.title', 'book.field.pages'],
    ...['book.field.tags', 'book.title-needed', 'book.json-needed']
  ],
  needs: ['service'],
  async run({ service, verify }) {
    const tags = ['sea', 'old', 'blue']
    const { id, reply } = await made(service, { title: 'Zoë’s ships', pages: 411, tags })
    verify('book.created', reply.status === 201, reply)
    verify('book.location', reply.headers.location === `/books/${id}`, reply)
    const kept = await reader(service).get(`/books/${id}`)
    verify('book.field.title', kept.json?.title === 'Zoë’s ships', kept)
    verify('book.field.pages', kept.json?.pages === 411, kept)
    verify('book.field.tags', `${kept.json?.tags}` === `${tags}`, kept)
    const untitled = await reader(service).post('/books', { json: { pages: 3 } })
    verify('book.title-needed', untitled.status === 422, untitled)
    const broken = await reader(service).post('/books', { body: '{"title":' })
    verify('book.json-needed', broken.status === 400, broken)
  }
})
