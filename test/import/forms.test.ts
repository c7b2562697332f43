import { expect, test } from 'vitest'
import { type Asked, odd, type Service, verdicts } from './asked.ts'

const responses = { 200: { description: 'ok' } }
const name = { type: 'string', minLength: 2, maxLength: 8 }
const age = { type: 'integer', minimum: 1, maximum: 9 }

const search = (isRequired: boolean) => {
  const filter = {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: { name, age, sort: { enum: ['up', 'down'] } }
  }
  const own = { name: 'filter', in: 'query', required: isRequired, style: 'deepObject' }
  const get = { operationId: 'a', parameters: [{ ...own, schema: filter }], responses }
  return { openapi: '3.1.0', paths: { '/a': { get } } }
}

/** A service that reads `filter[name]=x` by itself. */
const searches =
  ({
    most = 8,
    oldest = 9,
    sorts = ['up', 'down'],
    isClosed = true,
    isRequired = true
  } = {}): Service =>
  ({ query }) => {
    const found = [...query].flatMap(([key, value]) => {
      const [, field] = /^filter\[(\w[\w-]*)\]$/.exec(key) ?? []
      return field === undefined ? [] : [[field, value]]
    })
    const { name, age, sort, ...others } = Object.fromEntries(found)
    if (found.length === 0) return [isRequired ? 400 : 200]
    if (isClosed && Object.keys(others).length > 0) return [400]
    if (name === undefined || name.length < 2 || name.length > most) return [400]
    const isAge = /^\d+$/.test(age ?? '1') && Number(age ?? 1) >= 1 && Number(age ?? 1) <= oldest
    return [isAge && (sort === undefined || sorts.includes(sort)) ? 200 : 400]
  }

test.each([true, false])(
  'the fields of an object in a query are asked about: %s',
  async (isRequired) => {
    const own = search(isRequired)
    const clauses = await verdicts(own, searches({ isRequired }))
    expect(clauses).toMatchObject({ 'a.query.filter.name.max-length': 'pass' })
    expect(await odd(own, searches({ isRequired }))).toEqual({})
    const faults: [Parameters<typeof searches>[0], string][] = [
      [{ most: 9 }, 'name.max-length'],
      [{ oldest: 8 }, 'age.maximum'],
      [{ sorts: ['up'] }, 'sort.enum'],
      [{ isClosed: false }, 'additional-properties']
    ]
    for (const [fault, id] of faults) {
      const found = await odd(own, searches({ isRequired, ...fault }))
      expect(found).toEqual({ [`a.query.filter.${id}`]: 'fail' })
    }
  }
)

test('an object in a query that has more than words is left out, and told', async () => {
  const own = search(true)
  const { schema } = own.paths['/a'].get.parameters[0]!
  Object.assign(schema.properties, { of: { type: 'object', properties: { name } } })
  const found = await verdicts(own, () => [200])
  expect(Object.keys(found).filter((id) => id.includes('filter'))).toEqual([])
})

const upload = {
  type: 'object',
  required: ['title', 'photo'],
  properties: {
    title: name,
    age,
    tags: { type: 'array', maxItems: 3, items: { type: 'string', maxLength: 5 } },
    photo: { type: 'string', format: 'binary' }
  }
}
const content = {
  'multipart/form-data': { schema: upload, encoding: { photo: { contentType: 'image/png' } } }
}
const post = { operationId: 'a', requestBody: { required: true, content }, responses }
const uploads = { openapi: '3.0.3', paths: { '/a': { post } } }

type Part = { name: string; isFile: boolean; type?: string; value: string }

/** The parts of a form as RFC 7578 has them; undefined for what is none. */
function partsIn({ headers, text }: Asked): Part[] | undefined {
  const [, boundary] =
    /^multipart\/form-data; boundary=(\S+)$/.exec(headers['content-type'] ?? '') ?? []
  if (boundary === undefined || !text.endsWith(`--${boundary}--\r\n`)) return
  const pieces = `\r\n${text}`.split(`\r\n--${boundary}`).slice(1, -1)
  return pieces.map((piece) => {
    const [head = '', ...rest] = piece.slice(2).split('\r\n\r\n')
    const [, name = ''] = /name="([^"]*)"/.exec(head) ?? []
    const [, type] = /content-type: (.*)/i.exec(head) ?? []
    return { name, isFile: /filename="/.test(head), type, value: rest.join('\r\n\r\n') }
  })
}

const takesUploads =
  ({ most = 8, oldest = 9, tags = 3, isFileNeeded = true } = {}): Service =>
  (asked) => {
    const parts = partsIn(asked)
    if (parts === undefined) return [415]
    const of = (name: string) => parts.filter((one) => one.name === name)
    const [title, more] = of('title')
    if (title === undefined || more !== undefined) return [422]
    if (title.value.length < 2 || title.value.length > most) return [422]
    const [photo] = of('photo')
    if (photo === undefined ? isFileNeeded : !photo.isFile || photo.type !== 'image/png')
      return [422]
    const [age] = of('age')
    if (age && !(/^\d+$/.test(age.value) && Number(age.value) >= 1 && Number(age.value) <= oldest))
      return [422]
    return [
      of('tags').length <= tags && of('tags').every(({ value }) => value.length <= 5) ? 200 : 422
    ]
  }

test('the fields of a form in parts are asked about, and a file comes as one', async () => {
  expect(await odd(uploads, takesUploads())).toEqual({})
  const faults: [Parameters<typeof takesUploads>[0], string][] = [
    [{ most: 9 }, 'title.max-length'],
    [{ oldest: 10 }, 'age.maximum'],
    [{ tags: 4 }, 'tags.max-items'],
    [{ isFileNeeded: false }, 'photo.required']
  ]
  for (const [fault, id] of faults) {
    expect(await odd(uploads, takesUploads(fault))).toEqual({ [`a.body.${id}`]: 'fail' })
  }
})
