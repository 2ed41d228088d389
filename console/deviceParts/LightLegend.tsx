import { LIGHT_PARTS } from './lightParts.ts'
import './lightKey.css'

interface LightLegendProps {
  readonly kinds?: readonly (typeof LIGHT_PARTS)[number]['kind'][]
}

export function LightLegend({ kinds }: LightLegendProps) {
  return (
    <ul className="light-legend" aria-label="Colours">
      {LIGHT_PARTS.filter(({ kind }) => kinds === undefined || kinds.includes(kind)).map(({ kind, name }) => (
        <li key={kind}>
          <i data-light={kind} aria-hidden />
          {name}
        </li>
      ))}
    </ul>
  )
}
