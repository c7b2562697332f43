import { hashOf, momentOf, resource, valuesCheck } from '../_values-check.ts'

export default valuesCheck({
  title: 'Each field of a script shows what is true of it',
  kind: 'scripts',
  clause: 'page-protection.script.field',
  record: (n, id) => ({
    ...resource(n, id),
    hash: hashOf(n),
    js_integrity_score: [3, 49, 50, 77, 100][n],
    obfuscation_score: 11 * n + 1,
    dataflow_score: 99 - 13 * n,
    fetched_at: momentOf(n, 3),
    page_urls: Array.from({ length: n + 1 }, (_, page) => `https://shop-${n}.values.test/${page}`),
    versions: Array.from({ length: n + 1 }, (_, version) => ({
      hash: hashOf(n - version + 10),
      js_integrity_score: 20 * n + version,
      fetched_at: momentOf(n, 4 + version)
    }))
  })
})
