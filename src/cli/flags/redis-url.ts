/** Reads the URL of a Redis; throws an Error that shows what one looks like. */
export function asRedisUrl(text?: string): string | undefined {
  if (text === undefined) return
  if (URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol)) return text
  throw new Error(`"${text}" is no URL of a Redis, such as redis://127.0.0.1:6379`)
}
