import { check } from 'plimsoll'
import { made, reader } from '../_reader.ts'

export default check({
  title: 'Books are listed by tag, in order, and no more than asked for',
  clauses: ['books.by-tag', 'books.sorted', 'books.limit'],
  needs: ['service'],
  async run({ service, verify }) {
    const tag = 'harbour'
    for (const title of ['Mole', 'Anchor', 'Quay']) await made(service, { title, tags: [tag] })
    await made(service, { title: 'Barn', tags: ['land'] })
    const mine = reader(service)
    const reply = await mine.get(`/books?tag=${tag}`)
    const books: { title: string; tags: string[] }[] = reply.json?.books ?? []
    const isTagged = books.length >= 3 && books.every(({ tags }) => tags?.includes(tag))
    verify('books.by-tag', isTagged, reply)
    const titles = books.map(({ title }) => title)
    const isSorted = titles.length > 0 && `${titles}` === `${titles.toSorted()}`
    verify('books.sorted', isSorted, reply)
    const two = await mine.get(`/books?tag=${tag}&limit=2`)
    verify('books.limit', two.json?.books?.length === 2, two)
  }
})
