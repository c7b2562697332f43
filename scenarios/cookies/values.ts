import { momentOf, valuesCheck } from '../_values-check.ts'

export default valuesCheck({
  title: 'Each field of a cookie shows what is true of it',
  kind: 'cookies',
  clause: 'page-protection.cookie.field',
  record: (n, id) => ({
    id,
    type: n % 2 ? 'unknown' : 'first_party',
    name: `session_${id.slice(0, 6)}_${n}`,
    host: `shop-${n}.values.test`,
    domain_attribute: `${n}.values.test`,
    expires_attribute: momentOf(n + 9, 3),
    http_only_attribute: n % 2 === 0,
    max_age_attribute: [null, 0, 3_600, 86_400, 31_536_000][n],
    path_attribute: n === 0 ? '/' : `/pay/${n}`,
    same_site_attribute: ['strict', 'lax', 'none'][n % 3],
    secure_attribute: n % 3 !== 1,
    first_seen_at: momentOf(n, 1),
    last_seen_at: momentOf(n, 2),
    first_page_url: `shop-${n}.values.test/pay/${n}`,
    page_urls: Array.from({ length: n + 1 }, (_, page) => `shop-${n}.values.test/${page}`),
    status: n % 3 === 2 ? 'infrequent' : 'active'
  })
})
