/** Texts that read like expressions, and name a value, a type or a place that there is not. */
export const wrongValues: readonly string[] = [
  ...['10.0.0.1/8', '10.0.0.0/40', '10.0.0.9..10.0.0.1', '10.0.0.1..::1', '300.1.1.1', 'x'].map(
    (members) => `ip.src in {${members}}`
  ),
  'ip.src eq 10.0.0',
  ...['08', '0x', '99999999999999999999', 'x', '-', '"1"'].map((n) => `len(http.host) eq ${n}`),
  'len(http.host) in {9..1}',
  ...['"a', 'r"a', 'r#"a"', '"\\q"', '"\\x4"', '1', 'a', '"\ud800"'].map(
    (value) => `http.host eq ${value}`
  ),
  ...['"("', '"[[a]]"', 'r"\\p{Ll}"', '"[é]"', '"a{9,1}"'].map(
    (pattern) => `http.host matches ${pattern}`
  ),
  'http.host wildcard r"a\\b"',
  'http.host in {"a" "b"',
  ...['$', '$.', '$a..b'].map((list) => `http.host in ${list}`),
  ...['http.nothing', 'http.', 'nothing(http.host)', 'lower()', 'lower(http.host, http.host)'].map(
    (term) => `${term} eq "a"`
  ),
  ...['lower(1)', 'concat("a")', 'to_string(http.host)', 'http.host["a"]'].map(
    (term) => `${term} eq "a"`
  ),
  ...['"a"', '"a"]', '4294967296]', '"\\xff"]', ']'].map(
    (key) => `any(http.request.headers[${key} eq "a")`
  ),
  'any(http.host eq "a")',
  'http.request.headers["a"][*] eq "a" and http.host eq "b"',
  'any(http.request.headers["a"][*] eq "a" and http.host eq "b")',
  'http.host eq "a" http.host eq "b"',
  'http.host eq "a" and',
  `${'('.repeat(500)}http.host eq "a"${')'.repeat(500)}`,
  `http.host eq "${'a'.repeat(9_000)}"`
]
