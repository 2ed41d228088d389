import { readBundledJson } from '#console/lib/call/bundledFile.ts'
import { GROUND_FOLDER } from './baseMapFolder.ts'
import { type BaseMapPlace, type BaseMapSquare, type BaseMapWorld, readLine, WORLD_SQUARE } from './baseMapFormat.ts'

/** The paths are in the square's own units. */
export interface DrawnSquare {
  readonly land: Path2D
  readonly lakes: Path2D
  readonly borders: Path2D
  readonly places: readonly BaseMapPlace[]
}

type Kept = DrawnSquare | 'loading' | 'missing'

let names: ReadonlySet<string> | undefined
const kept = new Map<string, Kept>()
const waiting = new Set<() => void>()
const TRY_AGAIN_AFTER_MS = 10_000
const PIECE_MS = 8

/**
 * It returns undefined while the square is missing; if it is in view it is being loaded, and `whenMoreCame` reports its
 * arrival. It returns null where there is only sea.
 */
export function squareOf(name: string, isInView: boolean): DrawnSquare | null | undefined {
  if (name !== WORLD_SQUARE && names === undefined) return undefined
  if (name !== WORLD_SQUARE && !names?.has(name)) return null
  const found = kept.get(name)
  if (found === undefined && isInView) void load(name)
  return typeof found === 'object' ? found : undefined
}

/** @returns a function that unsubscribes */
export function whenMoreCame(notify: () => void): () => void {
  waiting.add(notify)
  return () => {
    waiting.delete(notify)
  }
}

async function load(name: string) {
  kept.set(name, 'loading')
  try {
    const square = await readBundledJson<BaseMapSquare | BaseMapWorld>(`${GROUND_FOLDER}${name}.json`)
    if ('squares' in square) names = new Set(square.squares)
    const [land, lakes] = [await pathOf(square.land, true), await pathOf(square.lakes, true)]
    kept.set(name, { land, lakes, borders: await pathOf(square.borders, false), places: square.places })
    for (const notify of waiting) notify()
  } catch {
    kept.set(name, 'missing')
    setTimeout(() => kept.delete(name), TRY_AGAIN_AFTER_MS)
  }
}

/** The page stays usable meanwhile: the whole world takes half a second on a slow processor. */
async function pathOf(lines: readonly string[], isClosed: boolean): Promise<Path2D> {
  const path = new Path2D()
  let pauseAtMs = performance.now() + PIECE_MS
  for (const text of lines) {
    if (performance.now() > pauseAtMs) {
      await new Promise((resolve) => setTimeout(resolve))
      pauseAtMs = performance.now() + PIECE_MS
    }
    const [first, ...others] = readLine(text)
    if (!first) continue
    path.moveTo(...first)
    for (const point of others) path.lineTo(...point)
    if (isClosed) path.closePath()
  }
  return path
}
