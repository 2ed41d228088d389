import { type CSSProperties, type ReactElement, type ReactNode, useLayoutEffect, useRef } from 'react'

/** Where a panel stands, counted from 1, when there is room for two columns and for three. */
export interface Columns {
  readonly ofTwo: number
  readonly ofThree: number
}

interface SetupCellsProps {
  readonly settings: readonly (ReactElement | false)[]
  readonly power: readonly (ReactElement | false)[]
}

/**
 * In two columns the second setting and those after it fill one, so what is switched goes below the first. In three the
 * fourth stands below the second, the fifth below the first, the sixth below the third.
 */
const columnsOfSetting = (index: number): Columns => ({
  ofTwo: Math.min(index, 1) + 1,
  ofThree: [1, 2, 3, 2, 1][index] ?? 3,
})
const columnsOfPower = (index: number, hasSettings: boolean): Columns => ({
  ofTwo: hasSettings ? 1 : (index % 2) + 1,
  ofThree: (index % 3) + 1,
})

/**
 * Panels in columns, each as high as what it holds; they are read in their order all the same. A panel never changes
 * its column when another grows: somebody may be about to press something in it.
 */
export function SetupCells({ settings, power }: SetupCellsProps) {
  const grid = useRef<HTMLDivElement>(null)
  const shownSettings = shown(settings)
  const shownPower = shown(power)
  useRowsByHeight(grid, shownSettings.length + shownPower.length)
  return (
    <div className="setup-panels" ref={grid}>
      {shownSettings.map((panel, index) => (
        <Cell key={panel.key} columns={columnsOfSetting(index)}>
          {panel}
        </Cell>
      ))}
      {shownPower.map((panel, index) => (
        <Cell key={panel.key} columns={columnsOfPower(index, shownSettings.length > 0)}>
          {panel}
        </Cell>
      ))}
    </div>
  )
}

const shown = (panels: readonly (ReactElement | false)[]) => panels.filter((panel) => panel !== false)

function Cell({ columns, children }: { readonly columns: Columns; readonly children: ReactNode }) {
  const style = { '--column-of-two': columns.ofTwo, '--column-of-three': columns.ofThree } as CSSProperties
  return (
    <div className="setup-cell" style={style}>
      {children}
    </div>
  )
}

/** A grid has rows through all of its columns, so each cell spans as many thin ones as it is high. */
function useRowsByHeight(grid: { readonly current: HTMLElement | null }, count: number): void {
  useLayoutEffect(() => {
    const cells = [...(grid.current?.children ?? [])].slice(0, count) as HTMLElement[]
    const measure = () => {
      for (const cell of cells) cell.style.setProperty('--rows', String(Math.max(1, Math.ceil(cell.offsetHeight))))
    }
    measure()
    const observer = new ResizeObserver(measure)
    for (const cell of cells) observer.observe(cell)
    return () => observer.disconnect()
  }, [grid, count])
}
