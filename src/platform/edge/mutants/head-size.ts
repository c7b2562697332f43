import { send } from '../../kernel/http/answer.ts'
import type { Mutant } from '../../kernel/mutant.ts'
import { override } from '../../kernel/override.ts'
import { edgeLimits as limits } from '../limits.ts'
import { type EdgeRequest, receive } from '../request.ts'
import type { EdgeRules } from '../rules.ts'
import { headerBytes, oversize } from '../size.ts'
import { type Size, sizeMutants, treated } from './size.ts'

type HeadSize = Size & {
  /** The request without what is too much. */
  cut(request: EdgeRequest): EdgeRequest
}

const sizes: HeadSize[] = [
  {
    name: 'url-length',
    clause: 'limits.request.url-length',
    words: 'a URL',
    readings: [16_000, 16_384],
    limited: (urlBytes) => ({ limits: { urlBytes } }),
    isAbout: ({ part }) => part === 'url',
    cut: (request) => ({ ...request, target: request.target.slice(0, limits.urlBytes) })
  },
  {
    name: 'header-single',
    clause: 'limits.request.header-single',
    words: 'a header',
    readings: [16_000, 16_384],
    limited: (headerBytes) => ({ limits: { headerBytes } }),
    isAbout: ({ part }) => part === 'header',
    cut: (request) => ({
      ...request,
      headers: request.headers.map(([name, value]) => [
        name,
        value.slice(0, Math.max(0, limits.headerBytes - name.length))
      ])
    })
  },
  {
    name: 'headers-total',
    clause: 'limits.request.headers-total',
    words: 'a set of headers',
    readings: [32_000, 32_768],
    limited: (headersBytes) => ({ limits: { headersBytes } }),
    isAbout: ({ part }) => part === 'headers',
    cut: (request) => ({ ...request, headers: fitting(request.headers) })
  }
]

/** The first headers, as many as fit. */
function fitting(headers: EdgeRequest['headers']): EdgeRequest['headers'] {
  let left = limits.headersBytes
  return headers.filter((header) => {
    left -= headerBytes(header)
    return left >= 0
  })
}

/** What can be wrong with the limits on a request's head. */
export const headSizeMutants: readonly Mutant<EdgeRules>[] = sizes.flatMap(
  (size): Mutant<EdgeRules>[] => {
    const { name, clause, words, limited, isAbout, cut } = size
    return [
      ...sizeMutants(size),
      {
        name: `${name}-refused-with-200`,
        clause,
        description: `Answers 200 with nothing in it to ${words} that is too large.`,
        change: treated(isAbout, (response) =>
          send(response, { status: 200, type: 'text/html', body: '' })
        )
      },
      {
        name: `${name}-cut-to-fit`,
        clause,
        description: `Takes ${words} that is too large, and passes on only what fits.`,
        change: override(limited(Infinity), { receive: (message) => cut(receive(message)) })
      }
    ]
  }
)

/** What can be wrong with them for one method only. */
export const headSizeByMethodMutants: readonly Mutant<EdgeRules>[] = sizes
  .filter(({ name }) => name !== 'url-length')
  .map(({ name, clause, words, cut }) => ({
    name: `${name}-cut-to-fit-with-delete`,
    clause,
    description: `With the method DELETE takes ${words} that is too large, and cuts it to fit.`,
    change: {
      receive(message) {
        const request = receive(message)
        return request.method === 'DELETE' ? cut(request) : request
      }
    }
  }))

/** What can be wrong with them where a body is announced behind the head. */
export const headSizeByBodyMutants: readonly Mutant<EdgeRules>[] = sizes
  .filter(({ name }) => name !== 'url-length')
  .map(({ name, clause, words, cut }) => ({
    name: `${name}-cut-to-fit-before-a-body`,
    clause,
    description: `Where a body is announced takes ${words} that is too large, and cuts it to fit.`,
    change: {
      receive(message) {
        const request = receive(message)
        return (request.declaredBytes ?? 0) > 0 ? cut(request) : request
      }
    }
  }))

/** Names that Node keeps the first of, where a request has several. */
const kept = ['authorization', 'from', 'referer', 'user-agent']

/** What can be wrong with headers that are there several times. */
export const repeatedHeadersMutant: Mutant<EdgeRules> = {
  name: 'headers-total-of-what-is-kept',
  clause: 'limits.request.headers-total',
  description: 'Of several Referer headers, and others that come once, only the first counts.',
  change: {
    oversize(request, limits) {
      const isFirst = (name: string, at: number) =>
        request.headers.findIndex(([other]) => other.toLowerCase() === name) === at
      const headers = request.headers.filter(([given], at) => {
        const name = given.toLowerCase()
        return !kept.includes(name) || isFirst(name, at)
      })
      return oversize({ ...request, headers }, limits)
    }
  }
}

/** What can be wrong with a URL that is within its limit. */
export const passedOnUrlMutant: Mutant<EdgeRules> = {
  name: 'url-cut-on-its-way',
  clause: 'limits.request.url-length',
  description: 'Of a URL only 8,000 bytes come to the origin, whatever its length.',
  change: {
    receive: (message) => {
      const request = receive(message)
      return { ...request, uri: request.uri.slice(0, 8_000) }
    }
  }
}

/** What can be wrong with a header that is within its limit. */
export const passedOnHeaderMutant: Mutant<EdgeRules> = {
  name: 'header-cut-on-its-way',
  clause: 'limits.request.header-single',
  description: 'Of a header of 2,000 to 3,500 bytes only the first 2,000 come to the origin.',
  change: {
    receive: (message) => {
      const request = receive(message)
      const headers = request.headers.map(([name, value]): [string, string] => [
        name,
        value.length < 3_500 ? value.slice(0, 2_000) : value
      ])
      return { ...request, headers }
    }
  }
}
