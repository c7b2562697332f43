/** Encodings that attackers nest to get past a filter are undone this often. */
const mostRounds = 3

const entities: Record<string, string> = {
  ...{ lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', lpar: '(', rpar: ')', colon: ':' },
  ...{ sol: '/', equals: '=', tab: ' ', newline: ' ', semi: ';', nbsp: ' ' }
}

/**
 * A value without its disguises, in lower case and printable ASCII: percent codes, also nested and
 * in the form `%u003c`, entities of HTML, wide and other look-alike letters of Unicode, bytes that
 * are longer than they need be, comments within and spaces of all kinds. One character of what is
 * given is one byte. What is behind a comment that joins words is said a second time, joined.
 */
export function plain(value: string): string {
  if (/^[\w ./?=,:@~-]*$/.test(value)) return value.toLowerCase()
  let text = value
  for (let round = 0; round < mostRounds && /[%&]/.test(text); round++) text = decoded(text)
  text = folded(text).toLowerCase()
  const spaced = commented(text, spoken).replaceAll(/\$\{?ifs\}?(\$\d)?/g, ' ')
  return [...variants(spaced), ...(spaced === text ? [] : [commented(text, () => '')])]
    .map((one) => one.replaceAll(/[\0-\x20\x7f]+/g, ' ').trim())
    .join('\n')
}

/**
 * The text with something else for each comment. A pattern would look for the end of a comment from
 * every beginning, which takes seconds where there are many and no end.
 */
function commented(text: string, instead: (comment: string) => string): string {
  let [result, at] = ['', 0]
  for (;;) {
    const begin = text.indexOf('/*', at)
    const end = begin < 0 ? -1 : text.indexOf('*/', begin + 2)
    if (end < 0) return result + text.slice(at)
    result += text.slice(at, begin) + instead(text.slice(begin + 2, end))
    at = end + 2
  }
}

/** What a database reads in place of a comment: a space, and of `/*!50000 …` all of it. */
function spoken(comment: string): string {
  return comment.startsWith('!') ? ` ${comment.replace(/^!\d*/, '').replaceAll('/*', ' ')} ` : ' '
}

/** The text, and where quotes or backslashes stand within words, the words without them. */
function variants(text: string): string[] {
  if (!/[a-z]['"\\^]+[a-z]|[a-z][\t\r\n]+[a-z]/.test(text)) return [text]
  const joined = text.replaceAll(/(?<=[a-z])(?:['"\\^]+|[\t\r\n]+)(?=[a-z])/g, '')
  return [text, joined]
}

function decoded(text: string): string {
  return text
    .replaceAll(/%u([0-9a-f]{4})/gi, (_, hex) => bytesOf(parseInt(hex, 16)))
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
    .replaceAll(/&#(?:x0*([0-9a-f]{1,6})|0*(\d{1,7}));?/gi, (_, hex, digits) =>
      bytesOf(hex === undefined ? Number(digits) : parseInt(hex, 16))
    )
    .replaceAll(/&([a-z]+);/gi, (whole, name) => entities[name.toLowerCase()] ?? whole)
}

function bytesOf(point: number): string {
  if (point > 0x10ffff) return ''
  return Buffer.from(String.fromCodePoint(point), 'utf8').toString('latin1')
}

/** Letters that look like others become those; what is still not ASCII becomes a dot. */
function folded(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text
  const short = text
    .replaceAll(/[\xc0\xc1]([\x80-\xbf])/g, (pair) =>
      String.fromCharCode(((pair.charCodeAt(0) & 0x1f) << 6) | (pair.charCodeAt(1) & 0x3f))
    )
    .replaceAll(/\xe0([\x80-\x9f])([\x80-\xbf])/g, (_, high, low) =>
      String.fromCharCode(((high.charCodeAt(0) & 0x3f) << 6) | (low.charCodeAt(0) & 0x3f))
    )
  return (
    Buffer.from(short, 'latin1')
      .toString('utf8')
      .replaceAll(/[\u2018\u2019\u02bc]/g, "'")
      .replaceAll(/[\u201c\u201d]/g, '"')
      // One of these can stand for eighteen letters, and none of them for one that is looked for.
      .replaceAll(/[\ufb50-\ufdff]/g, '.')
      .normalize('NFKD')
      .replaceAll(/[\u0300-\u036f]/g, '')
      .replaceAll(/[\u0080-\u{10ffff}]/gu, '.')
  )
}
