import type { Call } from '../../kernel/api/operation.ts'
import { paging } from '../../kernel/api/paging.ts'
import type { Mutant } from '../../kernel/mutant.ts'
import { kinds } from '../detection.ts'
import type { PageProtectionRules } from '../rules.ts'
import { instead, misread } from './operation.ts'

const lists = kinds.map(({ name }) => `page-protection.${name}.list`)
const scripts = lists[0]!

const turned = (call: Call, by: number): Call => ({
  ...call,
  query: { ...call.query, page: String(paging(call.query, call.rules.limits).page + by) }
})

type Query = Call['query']

/** A query that is got wrong on every page but the first. */
const onPageOneOnly = (names: readonly string[], alter: (query: Query) => object) =>
  misread(names, (query) => (Number(query.page ?? 1) > 1 ? alter(query) : query))

const defaultMutants = kinds.map(
  ({ path }, index): Mutant<PageProtectionRules> => ({
    name: `${path}-listed-whatever-their-status`,
    clause: `page-protection.list.default-status-active.${path}`,
    description: `Without a status filter, infrequent ${path} are listed with the active ones.`,
    change: misread([lists[index]!], (query) => ({ status: 'active,infrequent', ...query }))
  })
)

/** What can be wrong with paging and filtering. */
export const listMutants: readonly Mutant<PageProtectionRules>[] = [
  {
    name: 'pages-counted-from-zero',
    clause: 'page-protection.list.page-1-based',
    description: 'Page 1 is the second page; a list without a page begins at the first.',
    change: instead(lists, (call, run) => {
      if (call.query.page === undefined) return run(call)
      const { result, info } = run(turned(call, 1))
      return { result, info: info && { ...info, page: info.page - 1 } }
    })
  },
  {
    name: 'per-page-ignored',
    clause: 'page-protection.list.per-page',
    description: 'Every page has as many items as a page has by default.',
    change: misread(lists, (query) => ({ ...query, per_page: undefined }))
  },
  {
    name: 'pages-overlap',
    clause: 'page-protection.list.per-page',
    description: 'Every page but the first begins with the last item of the one before.',
    change: instead(lists, (call, run) => {
      const { result, info } = run(call)
      if (!info || info.page === 1) return { result, info }
      const before = run(turned(call, -1)).result as object[]
      return { result: [...before.slice(-1), ...(result as object[]).slice(0, -1)], info }
    })
  },
  {
    name: 'pages-too-full',
    clause: 'page-protection.list.per-page',
    description: 'Every page but the last has one item more than was asked for.',
    change: instead(lists, (call, run) => {
      const { result, info } = run(call)
      const next = run(turned(call, 1)).result as object[]
      return { result: [...(result as object[]), ...next.slice(0, 1)], info }
    })
  },
  {
    name: 'categories-of-both-reports-left-out-of-the-list',
    clause: 'page-protection.script.field.malicious-domain-categories',
    description: 'A list has no categories of the domain where the URL is reported malicious, too.',
    change: instead([scripts], (call, run) => {
      const { result, ...rest } = run(call)
      const cut = ({ malicious_domain_categories: categories, ...one }: Record<string, unknown>) =>
        one.url_reported_malicious ? one : { ...one, malicious_domain_categories: categories }
      return { ...rest, result: (result as never[]).map(cut) }
    })
  },
  {
    name: 'hosts-filter-ignored',
    clause: 'page-protection.list.hosts-filter.scripts',
    description: 'Scripts of every host are listed, whichever is asked for.',
    change: misread([scripts], (query) => ({ ...query, hosts: undefined }))
  },
  {
    name: 'hosts-filter-matches-nothing',
    clause: 'page-protection.list.hosts-filter.scripts',
    description: 'Filtering by host lists no scripts at all.',
    change: misread([scripts], (query) =>
      query.hosts === undefined ? query : { ...query, hosts: '-' }
    )
  },
  {
    name: 'status-filter-ignored',
    clause: 'page-protection.list.status-filter.scripts',
    description: 'Active scripts are listed, whichever status is asked for.',
    change: misread([scripts], (query) => ({ ...query, status: undefined }))
  },
  {
    name: 'status-filter-matches-nothing',
    clause: 'page-protection.list.status-filter.scripts',
    description: 'Filtering by status lists no scripts at all.',
    change: misread([scripts], (query) =>
      query.status === undefined ? query : { ...query, status: '-' }
    )
  },
  {
    name: 'hosts-filter-on-page-one-only',
    clause: 'page-protection.list.hosts-filter.scripts',
    description: 'From the second page on, scripts of every host are listed.',
    change: onPageOneOnly([scripts], (query) => ({ ...query, hosts: undefined }))
  },
  {
    name: 'hosts-filter-only-beside-a-status',
    clause: 'page-protection.list.hosts-filter.scripts',
    description: 'Scripts of every host are listed, unless a status is asked for, too.',
    change: misread([scripts], (query) =>
      query.status === undefined ? { ...query, hosts: undefined } : query
    )
  },
  {
    name: 'hosts-filter-knows-two-hosts',
    clause: 'page-protection.list.hosts-filter.scripts',
    description: 'Filtering by a host whose name begins with "login" lists nothing.',
    change: misread([scripts], (query) => ({
      ...query,
      hosts: query.hosts?.startsWith('login') ? '-' : query.hosts
    }))
  },
  {
    name: 'status-filter-on-page-one-only',
    clause: 'page-protection.list.status-filter.scripts',
    description: 'From the second page on, active scripts are listed, whatever was asked for.',
    change: onPageOneOnly([scripts], (query) => ({ ...query, status: undefined }))
  },
  {
    name: 'status-filter-given-up-beside-a-host',
    clause: 'page-protection.list.status-filter.scripts',
    description: 'Where a host is asked for, scripts are listed whatever their status.',
    change: misread([scripts], (query) =>
      query.hosts !== undefined && query.status !== undefined
        ? { ...query, status: 'active,infrequent' }
        : query
    )
  },
  {
    name: 'infrequent-connections-on-later-pages',
    clause: 'page-protection.list.default-status-active.connections',
    description: 'From the second page on, connections are listed whatever their status.',
    change: onPageOneOnly([lists[1]!], (query) => ({ status: 'active,infrequent', ...query }))
  },
  {
    name: 'filtered-pages-overlap',
    clause: 'page-protection.list.per-page',
    description: 'Pages of a filtered list, but the first, begin with the last item before them.',
    change: instead([scripts], (call, run) => {
      const { result, info } = run(call)
      if (!info || info.page === 1 || call.query.hosts === undefined) return { result, info }
      const before = run(turned(call, -1)).result as object[]
      return { result: [...before.slice(-1), ...(result as object[]).slice(0, -1)], info }
    })
  },
  {
    name: 'large-pages-cut-short',
    clause: 'page-protection.list.per-page',
    description: 'Of more than five cookies on a page the last one is left out.',
    change: instead([lists[2]!], (call, run) => {
      const { result, info } = run(call)
      const all = result as object[]
      const isCut = all.length > 5 && Number(call.query.per_page) < 10
      return { result: isCut ? all.slice(0, -1) : all, info }
    })
  },
  {
    name: 'pages-of-fifty-at-most',
    clause: 'page-protection.list.per-page',
    description:
      'A page has fifty items at most; where the next one begins goes by what was asked.',
    change: instead(lists, (call, run) => {
      const { result, info } = run(call)
      const some = (result as object[]).slice(0, 50)
      return { result: some, info: info && { ...info, count: some.length } }
    })
  },
  {
    name: 'met-scripts-not-listed-by-host',
    clause: 'page-protection.list.hosts-filter.scripts',
    description: 'By a host of the zone, or one below that, no scripts are listed.',
    change: instead([scripts], (call, run) => {
      const isOwn = call.query.hosts?.endsWith(call.zone.host)
      return run(isOwn ? { ...call, query: { ...call.query, hosts: '-' } } : call)
    })
  },
  {
    name: 'first-page-of-connections-is-the-second',
    clause: 'page-protection.list.page-1-based',
    description: 'Page 1 of connections is the second page; a list without a page begins there.',
    change: instead([lists[1]!], (call, run) => {
      if (call.query.page !== '1') return run(call)
      const { result, info } = run(turned(call, 1))
      return { result, info: info && { ...info, page: 1 } }
    })
  },
  {
    name: 'result-info-says-page-one',
    clause: 'envelope.result-info.consistent',
    description: 'Whichever page is asked for, `result_info` says that it is the first.',
    change: instead(lists, (call, run) => {
      const { result, info } = run(call)
      return { result, info: info && { ...info, page: 1 } }
    })
  },
  {
    name: 'total-count-of-one-host',
    clause: 'envelope.result-info.consistent',
    description: 'Where a host is asked for, `total_count` counts the scripts on the page only.',
    change: instead([scripts], (call, run) => {
      const { result, info } = run(call)
      if (!info || call.query.hosts === undefined) return { result, info }
      const total_pages = Math.ceil(info.count / info.per_page)
      return { result, info: { ...info, total_count: info.count, total_pages } }
    })
  },
  {
    name: 'items-repeated-behind-a-thousand',
    clause: 'page-protection.list.per-page',
    description: 'The pages behind the thousandth script begin with the first again.',
    change: instead([scripts], (call, run) => {
      const { page, perPage } = paging(call.query, call.rules.limits)
      return run(page * perPage > 1_000 ? turned(call, 1 - page) : call)
    })
  },
  {
    name: 'total-count-ends-at-a-thousand',
    clause: 'envelope.result-info.consistent',
    description: 'No list has more than a thousand items by its `total_count`.',
    change: instead(lists, (call, run) => {
      const { result, info } = run(call)
      if (!info) return { result, info }
      const total_count = Math.min(info.total_count, 1_000)
      const total_pages = Math.ceil(total_count / info.per_page)
      return { result, info: { ...info, total_count, total_pages } }
    })
  },
  ...defaultMutants
]
