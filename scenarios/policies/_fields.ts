import type { Said } from './_selected.ts'

const always = () => true

/**
 * Fields of a request beside those that every target has, by their names. What a value is that a
 * client cannot know, such as its port or the hour by the clock of a target, is only bounded.
 */
export const asking: Readonly<Record<string, readonly Said[]>> = {
  'http.request.full_uri': [
    [
      'http.request.full_uri contains "/a/index.html?x=1&y"',
      ({ path }) => path === '/a/index.html'
    ],
    ['http.request.full_uri contains "://"', always]
  ],
  'http.request.uri.path.extension': [
    ['http.request.uri.path.extension eq "html"', ({ path }) => path === '/a/index.html'],
    ['http.request.uri.path.extension eq ""', ({ path }) => !path.includes('.')]
  ],
  'http.request.headers.values': [
    [
      'any(http.request.headers.values[*] eq "quick")',
      ({ headers, agent }) => headers['x-v'] === 'quick' || agent === 'quick'
    ],
    ['any(http.request.headers.values[*] eq "abcabc")', ({ agent }) => agent === 'abcabc']
  ],
  'http.request.version': [
    ['http.request.version in {"HTTP/1.0" "HTTP/1.1" "HTTP/2" "HTTP/3"}', always]
  ],
  'http.request.timestamp.sec': [
    ['http.request.timestamp.sec gt 1600000000', always],
    ['http.request.timestamp.sec lt 3000000000', always]
  ],
  'http.request.timestamp.msec': [
    ['http.request.timestamp.msec ge 0', always],
    ['http.request.timestamp.msec lt 1000', always]
  ],
  'http.request.headers.truncated': [['not http.request.headers.truncated', always]],
  'cf.edge.client_port': [['cf.edge.client_port in {1..65535}', always]],
  'cf.edge.server_port': [['cf.edge.server_port in {1..65535}', always]],
  'cf.zone.name': [['len(cf.zone.name) gt 0', always]]
}
