import { expect, test } from 'vitest'
import { importOpenApi } from '../../src/import/openapi.ts'
import { parseSource } from '../../src/import/source.ts'

const get = (operationId: string, more = {}) => ({
  get: { operationId, responses: { 204: { description: 'done' } }, ...more }
})
const at = (url: string, more = {}) => ({ servers: [{ url, ...more }] })

/** Where each operation is asked, and what is said of those that are elsewhere. */
function asked(target: string, document: object, paths: object = { '/pets': get('a') }) {
  const source = parseSource(JSON.stringify({ openapi: '3.1.0', paths, ...document }), 'api.json')
  const { url, files, left } = importOpenApi(source, 'limits', { target })
  const requests = Object.entries(files).filter(([path]) => path.endsWith('_request.ts'))
  const places = requests.map(([, text]) => `${url}${/path: '([^']*)'/.exec(text)![1]}`)
  return [...places, ...left.keys()]
}

test.each([
  ['http://x', {}, 'http://x/pets'],
  ['http://x/', at('/v1'), 'http://x/v1/pets'],
  ['http://x', at('https://api.example.com/v1/'), 'http://x/v1/pets'],
  ['http://x/v1', at('https://api.example.com/v1'), 'http://x/v1/pets'],
  ['http://x/proxy/v1/', at('/v1'), 'http://x/proxy/v1/pets'],
  ['http://x/other', at('/v1'), 'http://x/other/pets'],
  ['http://x/other', {}, 'http://x/other/pets'],
  ['http://x', at('/{version}', { variables: { version: { default: 'v2' } } }), 'http://x/v2/pets'],
  ['http://x', { servers: [] }, 'http://x/pets'],
  ['http://x', { servers: [{ url: 'http://[' }] }, 'http://x/pets']
])('at %s, by a document of %j, it asks %s', (target, document, place) => {
  expect(asked(target, document)).toEqual([place])
})

test('a path and an operation have servers of their own', () => {
  const paths = {
    '/a': get('a'),
    '/b': { ...get('b'), ...at('/api/v2') },
    '/c': { ...get('c', at('/api/v3')), ...at('/api/v2') }
  }
  const own = ['/v1/a', '/v2/b', '/v3/c']
  const all = (before: string) => own.map((path) => `${before}${path}`)
  expect(asked('http://x', at('/api/v1'), paths)).toEqual(all('http://x/api'))
  expect(asked('http://x/p/api/v1', at('/api/v1'), paths)).toEqual(all('http://x/p/api'))
  // As the target file has it that was written the first time.
  expect(asked('http://x/p/api', at('/api/v1'), paths)).toEqual(all('http://x/p/api'))
  expect(asked('http://x/other', at('/api/v1'), paths)).toEqual([
    'http://x/other/a',
    'GET /b: it is at /api/v2, not at the target',
    'GET /c: it is at /api/v3, not at the target'
  ])
})

test('what is elsewhere is not asked of the target, and told', () => {
  const paths = { '/a': get('a'), '/b': get('b', at('https://uploads.example.com/v1')) }
  expect(asked('http://x', at('https://api.example.com'), paths)).toEqual([
    'http://x/a',
    'GET /b: it is at https://uploads.example.com/v1, not at the target'
  ])
})
