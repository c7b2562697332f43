import { check } from 'plimsoll'
import { made, reader } from '../_reader.ts'

export default check({
  title: 'A book is lent once, and gone when it is deleted; strangers see none',
  clauses: ['library.token', 'book.unknown', 'book.deleted', 'book.lent-once'],
  needs: ['service'],
  async run({ service, verify }) {
    const { id } = await made(service, { title: 'Tides' })
    const mine = reader(service)
    const [allowed, stranger] = [await mine.get('/books'), await service.get('/books')]
    verify('library.token', allowed.status === 200 && stranger.status === 401, allowed, stranger)
    const none = await mine.get('/books/b0')
    verify('book.unknown', none.status === 404, none)
    const first = await mine.post(`/books/${id}/loan`)
    const second = await mine.post(`/books/${id}/loan`)
    const isLentOnce = first.json?.lent === true && second.status === 409
    verify('book.lent-once', isLentOnce, first, second)
    const [gone, after] = [await mine.delete(`/books/${id}`), await mine.get(`/books/${id}`)]
    verify('book.deleted', gone.status < 300 && after.status === 404, gone, after)
  }
})
