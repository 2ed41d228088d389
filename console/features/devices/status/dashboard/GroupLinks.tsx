import { IconAlertTriangleFilled } from '@tabler/icons-react'
import type { TileGroup } from './tiles/tiles.ts'

export function GroupLinks({ groups }: { readonly groups: readonly TileGroup[] }) {
  return (
    <nav className="group-links" aria-label="Groups">
      {groups.map(({ name, anchor, tiles }) => {
        const alertCount = tiles.filter(({ alertId }) => alertId !== undefined).length
        return (
          <a
            key={anchor}
            href={`#${anchor}`}
            onClick={(event) => {
              // The address belongs to the tab, so a jump within the page is no step for Back.
              event.preventDefault()
              const group = document.getElementById(anchor)
              group?.scrollIntoView()
              group?.focus({ preventScroll: true })
            }}
          >
            {name}
            {alertCount > 0 && (
              <span className="group-alerts">
                <IconAlertTriangleFilled size={12} role="img" aria-label="in alert:" /> {alertCount}
              </span>
            )}
          </a>
        )
      })}
    </nav>
  )
}
