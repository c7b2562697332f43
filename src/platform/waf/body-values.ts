/** How many bytes of a body are looked at. */
export const inspectedBytes = 131_072

/** What a body says it is, and its first bytes. */
export type Body = { type: string; bytes: Buffer }

const readers: [type: RegExp, values: (text: string, type: string) => string[]][] = [
  [/^application\/x-www-form-urlencoded\b/i, formValues],
  [/^(?:application|text)\/(?:[\w.+-]+\+)?json\b/i, jsonValues],
  [/^multipart\/form-data\b/i, partValues]
]

/** Whether a body of this content type is looked into. */
export function isInspected(type: string): boolean {
  return readers.some(([known]) => known.test(type))
}

/**
 * The names and values a body consists of, one character a byte. Forms, JSON and the fields of
 * multipart bodies are read as far as they go: an end that is missing hides nothing. Of a file only
 * its name is told, for its content may be anything.
 */
export function valuesIn({ type, bytes }: Body): string[] {
  const text = bytes.subarray(0, inspectedBytes).toString('latin1')
  return readers.find(([known]) => known.test(type))?.[1](text, type) ?? []
}

/** Names and values of a form, or of a query, still with their percent codes. */
export function formValues(text: string): string[] {
  return text
    .replaceAll('+', ' ')
    .split(/[&]/)
    .flatMap((pair) => {
      const equals = pair.indexOf('=')
      return equals < 0 ? [pair] : [pair.slice(0, equals), pair.slice(equals + 1)]
    })
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** Every string there is in JSON, names too. */
function jsonValues(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)(?:"|$)/gs)].map(([, inner]) =>
    inner!.replaceAll(/\\(?:u([0-9a-f]{4})|(.))/gis, (_, hex, one) => {
      if (hex === undefined) return escapes[one] ?? one
      return Buffer.from(String.fromCharCode(parseInt(hex, 16)), 'utf8').toString('latin1')
    })
  )
}

function partValues(text: string, type: string): string[] {
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined) return []
  return text
    .split(`--${boundary}`)
    .slice(1)
    .flatMap((part) => {
      const end = /\r?\n\r?\n/.exec(part)
      const head = end ? part.slice(0, end.index) : part
      const names = [...head.matchAll(/(?:file)?name\*?="?([^";\r\n]*)/gi)].map(([, name]) => name!)
      const isFile = /filename/i.test(head)
      return end && !isFile ? [...names, part.slice(end.index + end[0].length)] : names
    })
}
