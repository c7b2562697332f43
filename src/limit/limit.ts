/** A thousand bytes; a documented "KB" may also mean a `KiB`, see `readings`. */
export const KB = 1_000
/** A million bytes; a documented "MB" may also mean a `MiB`. */
export const MB = 1_000_000
/** A thousand million bytes. */
export const GB = 1_000_000_000
/** 1,024 bytes. */
export const KiB = 1_024
/** 1,024 KiB. */
export const MiB = 1_048_576
/** 1,024 MiB. */
export const GiB = 1_073_741_824

/** A clause that is a number: what the document promises as the largest value that is accepted. */
export type Limit = {
  clause: string
  /** The documented number in its base unit, by its smallest reading. */
  max: number
  unit: string
  /** Every value the text can mean, ascending: 16 KB is 16000 or 16384. Never empty. */
  readings: number[]
}

/** What a unit of bytes can mean in bytes, ascending; people write KB for either. */
const factors: Record<string, readonly number[]> = {
  ...{ B: [1], byte: [1], bytes: [1] },
  ...{ KB: [KB, KiB], MB: [MB, MiB], GB: [GB, GiB] },
  ...{ KiB: [KiB], MiB: [MiB], GiB: [GiB] }
}

/** What `value` of a documented unit can mean in base units, ascending: decimal, then binary. */
export function readings(value: number, unit: string): number[] {
  return (factors[unit.split(' ')[0]!] ?? [1]).map((factor) => value * factor)
}

/** A documented number in words: `about 1,000`, `16 KB`; undefined for what is none. */
export function numberIn(text: string): { value: number; unit: string } | undefined {
  const found = /^(?:about )?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?: ?([A-Za-z].*))?$/.exec(text)
  if (found === null) return
  const [, whole, part = '', unit = ''] = found
  return { value: Number(whole!.replaceAll(',', '') + part), unit }
}
