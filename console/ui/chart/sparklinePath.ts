export interface SparklinePaths {
  readonly line: string
  readonly area: string
}

type Point = readonly [x: number, y: number]

/**
 * It draws lines through hourly values in a box of the given size, broken where a value is missing. The scale is that
 * of the values, but spans at least `leastSpan`; a constant series runs through the middle. A lone value between gaps
 * is drawn as a dot.
 */
export function sparklinePaths(
  values: readonly (number | null)[],
  width: number,
  height: number,
  leastSpan = 0,
): SparklinePaths {
  const known = values.filter((value) => value !== null)
  if (known.length === 0) return { line: '', area: '' }
  const [lowest, highest] = [Math.min(...known), Math.max(...known)]
  const span = Math.max(highest - lowest, leastSpan)
  const low = (lowest + highest - span) / 2
  const stepX = values.length > 1 ? width / (values.length - 1) : 0
  const y = (value: number) => (span === 0 ? height / 2 : height - ((value - low) / span) * height)

  const runs: Point[][] = []
  let isOpen = false
  values.forEach((value, index) => {
    if (value === null) {
      isOpen = false
      return
    }
    if (!isOpen) runs.push([])
    runs.at(-1)?.push([index * stepX, y(value)])
    isOpen = true
  })
  return { line: runs.map(lineOf).join(''), area: runs.map((run) => areaOf(run, height)).join('') }
}

const written = (value: number) => String(Math.round(value * 100) / 100)
const pointText = ([x, y]: Point) => `${written(x)} ${written(y)}`

function lineOf(run: readonly Point[]): string {
  const text = `M${run.map(pointText).join('L')}`
  // A line of no length with round ends shows as a dot.
  return run.length === 1 ? `${text}h0` : text
}

function areaOf(run: readonly Point[], height: number): string {
  const [first, last] = [run[0], run.at(-1)]
  if (!first || !last || run.length === 1) return ''
  return `${lineOf(run)}V${written(height)}H${written(first[0])}Z`
}
