import type { Point } from './theil-sen.ts'

/**
 * The lowest point of each window of time, in order; windows without a point are left out. What a
 * collector can free hides in the saw-tooth above them, what it cannot shows in the floors.
 */
export function floors(points: readonly Point[], window: number): Point[] {
  const lowest = new Map<number, Point>()
  for (const point of points) {
    const place = Math.floor(point.time / window)
    const known = lowest.get(place)
    if (!known || point.value < known.value) lowest.set(place, point)
  }
  return [...lowest].sort(([one], [other]) => one - other).map(([, point]) => point)
}
