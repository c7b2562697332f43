// A lending library: the second document, and a server that can break each of its clauses.
import { createServer } from 'node:http'

const flag = process.argv.indexOf('--break')
const broken = flag < 0 ? '' : process.argv[flag + 1]
const is = (name) => broken === name
if (is('no-start')) throw new Error('no such shelf')
const port = Number(process.argv[2])

const books = new Map()
let next = 1

function answer(response, status, body, headers = {}) {
  const text = body === undefined ? '' : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(text)
}

const refusal = (response, status, code) => answer(response, status, { error: { code } })

function create(response, book) {
  const { title, pages = 0, tags = [] } = book
  const longest = is('long-titles') ? 41 : is('short-titles') ? 39 : 40
  if (typeof title !== 'string' || title === '') {
    if (!is('title-optional')) return refusal(response, 422, 'title')
  }
  if ((title ?? '').length > longest)
    return refusal(response, is('other-status') ? 400 : 422, 'long')
  if (!Number.isInteger(pages)) return refusal(response, 422, 'pages')
  const id = `b${next++}`
  const kept = {
    id,
    title,
    pages: is('pages-as-text') ? `${pages}` : pages,
    tags: is('tags-lost') ? [] : tags,
    lent: false
  }
  books.set(id, is('title-lost') ? { ...kept, title: 'untitled' } : kept)
  answer(
    response,
    is('created-200') ? 200 : 201,
    kept,
    is('no-location') ? {} : { location: `/books/${id}` }
  )
}

function list(response, query) {
  let found = [...books.values()]
  const tag = query.get('tag')
  if (tag !== null && !is('filter-ignored')) found = found.filter(({ tags }) => tags.includes(tag))
  found.sort((one, other) => (one.title < other.title ? -1 : 1))
  if (is('unsorted')) found.reverse()
  const limit = Number(query.get('limit') ?? 100)
  answer(response, 200, {
    books: found.slice(0, limit + (is('one-more') ? 1 : 0)),
    count: found.length
  })
}

let asked = 0

createServer(async (request, response) => {
  if (is('hangs')) return
  if (is('dies') && asked++ > 0) process.exit(1)
  if (is('all-503')) return refusal(response, 503, 'closed')
  const { pathname, searchParams } = new URL(request.url, 'http://library')
  const text = (await Array.fromAsync(request)).join('')
  const isKnown = request.headers.authorization === 'Bearer reader'
  if (!isKnown && !is('anybody')) return refusal(response, 401, 'reader')
  if (pathname === '/books' && request.method === 'POST') {
    let book
    try {
      book = JSON.parse(text)
    } catch {
      return refusal(response, is('bad-json-taken') ? 200 : 400, 'json')
    }
    return create(response, book)
  }
  if (pathname === '/books' && request.method === 'GET') return list(response, searchParams)
  const [, id, verb] = /^\/books\/(b\d+)(?:\/(loan))?$/.exec(pathname) ?? []
  const book = books.get(id)
  if (!book) return refusal(response, is('unknown-200') ? 200 : 404, 'unknown')
  if (verb === 'loan' && request.method === 'POST') {
    if (book.lent && !is('lent-twice')) return refusal(response, 409, 'lent')
    book.lent = !is('never-lent')
    return answer(response, 200, { ...book, lent: true })
  }
  if (request.method === 'DELETE') {
    if (!is('kept')) books.delete(id)
    return answer(response, 204)
  }
  answer(response, 200, book)
}).listen(port, '127.0.0.1', () => {
  if (process.argv.includes('--tell')) process.stdout.write('there\n')
})
