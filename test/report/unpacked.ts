import { inflateRawSync } from 'node:zlib'

/** A page, and at its end what its closed cards hold, as a browser shows it in them. */
export function unpacked(page: string): string {
  const [, bytes] = /<template id="packed">([^<]*)<\/template>/.exec(page)!
  const insides: string[] = JSON.parse(inflateRawSync(Buffer.from(bytes!, 'base64')).toString())
  return page + insides.join('\n')
}
