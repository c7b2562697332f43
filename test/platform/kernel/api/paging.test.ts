import { expect, test } from 'vitest'
import { offset, paging, resultInfo } from '../../../../src/platform/kernel/api/paging.ts'

const limits = { perPage: 15, largestPerPage: 100 }

test.each([
  [{}, { page: 1, perPage: 15 }, 0],
  [{ page: '1' }, { page: 1, perPage: 15 }, 0],
  [{ page: '3', per_page: '7' }, { page: 3, perPage: 7 }, 14],
  [{ per_page: '1' }, { page: 1, perPage: 1 }, 0],
  [{ per_page: '100' }, { page: 1, perPage: 100 }, 0],
  [{ page: '0002' }, { page: 2, perPage: 15 }, 15]
])('%j is a page', (query, page, before) => {
  expect(paging(query as Record<string, string>, limits)).toEqual(page)
  expect(offset(page)).toBe(before)
})

test.each([
  [{ page: '0' }, 'page: '],
  [{ page: '-1' }, 'page: '],
  [{ page: '1.5' }, 'page: '],
  [{ page: '1e3' }, 'page: '],
  [{ page: '' }, 'page: '],
  [{ page: 'all' }, 'page: '],
  [{ page: '9007199254740993' }, 'page: '],
  [{ per_page: '0' }, 'per_page: must be a whole number from 1 to 100'],
  [{ per_page: '101' }, 'per_page: must be a whole number from 1 to 100']
])('%j is refused', (query, because) => {
  expect(() => paging(query as Record<string, string>, limits)).toThrow(because)
})

test.each([
  [15, 15, 48, 4],
  [15, 3, 48, 4],
  [15, 15, 45, 3],
  [15, 0, 0, 0],
  [100, 1, 1, 1],
  [1, 1, 3, 3]
])('at %i a page, %i of %i items are on one of %i pages', (perPage, count, total, pages) => {
  expect(resultInfo({ page: 2, perPage }, { count, total })).toEqual({
    page: 2,
    per_page: perPage,
    count,
    total_count: total,
    total_pages: pages
  })
})
