import { type CSSProperties, type ReactElement, type ReactNode, useLayoutEffect, useRef } from 'react'

export interface Columns {
  readonly ofTwo: number
  readonly ofThree: number
}

interface SetupCellsProps {
  readonly settings: readonly (ReactElement | false)[]
  readonly power: readonly (ReactElement | false)[]
}

/**
 * The second and later settings fill one of two columns, so switches go below the first. Of three columns, the fourth
 * panel stands below the second, the fifth below the first, the sixth below the third.
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
 * Each panel is as high as its content, and the reading order stays the same. A panel never changes its column when
 * another grows, because somebody may be about to press something in it.
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

/** A grid has rows through all of its columns, so each cell spans as many thin rows as it is high. */
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
