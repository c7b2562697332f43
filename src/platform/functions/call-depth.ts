/** Where something listens. */
export type Place = { host: string; port: number }

/**
 * How deep requests are that functions make. Their headers are the functions' own to choose, so the
 * depth is told by the port they come in at: there is one for each depth that occurs.
 */
export type CallDepth = {
  /** Where requests of this depth come in. */
  at(depth: number): Promise<Place>
  /** The depth of requests at a port; 0 for those of visitors. */
  depthOf(port: number): number
}

/** Begins at the surface; `open` makes another way to the edge. */
export function createCallDepth(open: () => Promise<Place>): CallDepth {
  const places = new Map<number, Promise<Place>>()
  const depths = new Map<number, number>()
  const dig = async (depth: number) => {
    const place = await open()
    depths.set(place.port, depth)
    return place
  }
  return {
    at(depth) {
      const place = places.get(depth) ?? dig(depth)
      places.set(depth, place)
      return place
    },
    depthOf: (port) => depths.get(port) ?? 0
  }
}
