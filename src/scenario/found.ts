/** A scenario's file: `id` is its path below the scenarios folder without the ending. */
export type Found = { id: string; file: string }
