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

/** A clause that is a number: what the document promises as the largest value that is accepted. */
export type Limit = {
  clause: string
  /** The documented number in its base unit, by its smallest reading. */
  max: number
  unit: string
  /** Every value the text can mean, ascending: 16 KB is 16000 or 16384. Never empty. */
  readings: number[]
}

const binary: Record<string, [decimal: number, binary: number]> = {
  KB: [KB, KiB],
  MB: [MB, MiB],
  GB: [GB, 1_073_741_824]
}

/** What `value` of a documented unit can mean in base units, ascending: decimal, then binary. */
export function readings(value: number, unit: string): number[] {
  const factors = binary[unit.split(' ')[0]!]
  return factors ? factors.map((factor) => value * factor) : [value]
}
