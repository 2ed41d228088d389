const CELL_WIDTH = 13

type Cell = string | number

/** Prints its heading at once, and then a row for each call, so that a long run shows what it has. */
export function openTable(headings: readonly string[], nameWidth = 36) {
  const print = (name: string, cells: readonly Cell[], note: string) => {
    const shown = cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell).padStart(CELL_WIDTH))
    console.log(`${name.padEnd(nameWidth)}${shown.join('')}${note === '' ? '' : `   ${note}`}`)
  }
  print('', headings, '')
  return (name: string, cells: readonly Cell[], note = '') => print(name, cells, note)
}

/** Returns the value below which this part of the values lies: 0.5 is the median. */
export function quantile(values: Iterable<number>, part: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
