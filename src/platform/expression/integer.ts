/** A whole number of 64 bits as values hold it: a number while that is exact, a bigint beyond. */
export function narrowed(whole: bigint): number | bigint {
  const number = Number(whole)
  return Number.isSafeInteger(number) ? number : whole
}
