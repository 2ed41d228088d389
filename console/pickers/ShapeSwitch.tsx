import { IconList, IconMap2 } from '@tabler/icons-react'
import type { Address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import './shapeSwitch.css'

const SHAPES = [
  { kind: 'list', icon: IconList, word: 'List' },
  { kind: 'map', icon: IconMap2, word: 'Map' },
] as const

interface Props {
  readonly shown: (typeof SHAPES)[number]['kind']
  /** It leads to the other shape with the same filter. */
  readonly other: Address
}

/** The list and the map share one filter, so each leads to the other. */
export function ShapeSwitch({ shown, other }: Props) {
  return (
    <nav className="shape-switch" aria-label="Shown as">
      {SHAPES.map(({ kind, icon: Icon, word }) =>
        kind === shown ? (
          <span key={kind} aria-current="page">
            <Icon size={15} aria-hidden />
            {word}
          </span>
        ) : (
          <Link key={kind} to={other}>
            <Icon size={15} aria-hidden />
            {word}
          </Link>
        ),
      )}
    </nav>
  )
}
